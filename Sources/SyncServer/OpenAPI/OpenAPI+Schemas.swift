extension OpenAPI {
    static let schemas = #"""
        {
          "ID": {
            "type": "string",
            "pattern": "^(?!\\.{1,2}$)(?=.*\\S)[^+?\"/\\\\`\\u0000-\\u001F\\u007F-\\u009F]{1,255}$"
          },
          "Error": {
            "type": "object",
            "required": ["code", "error", "message"],
            "properties": {
              "code": {"type": "integer", "minimum": 400, "maximum": 599},
              "error": {"type": "string"},
              "message": {"type": "string", "description": "The same as error."}
            }
          },
          "Layout": {
            "description": "A todo's file: its path in the folder, its text, and the name of the device that sent them.",
            "type": ["object", "null"],
            "properties": {
              "path": {"type": ["string", "null"]}, "yaml": {"type": ["string", "null"]},
              "device": {"type": ["string", "null"]}
            },
            "additionalProperties": false
          },
          "SentRecord": {
            "description": "A record's fields; names of the protocol's own are refused in any letter case.",
            "type": "object",
            "properties": {
              "id": {"oneOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}]},
              "version": {
                "type": ["string", "null"],
                "description": "Of version 2 only: a condition where there is no If-Match; ignored in an insert."
              },
              "todosync": {"$ref": "#/components/schemas/Layout"}
            },
            "propertyNames": {
              "anyOf": [
                {"enum": ["id", "version", "todosync"]},
                {
                  "minLength": 1, "maxLength": 255,
                  "pattern": "^(?!__|[Ii][Dd]$|([Vv][Ee][Rr][Ss][Ii][Oo][Nn]|[Dd][Ee][Ll][Ee][Tt][Ee][Dd]|[Cc][Rr][Ee][Aa][Tt][Ee][Dd][Aa][Tt]|[Uu][Pp][Dd][Aa][Tt][Ee][Dd][Aa][Tt]|[Tt][Oo][Dd][Oo][Ss][Yy][Nn][Cc])$)[^\\u0000-\\u001F\\u007F-\\u009F]+$"
                }
              ]
            }
          },
          "Record": {
            "description": "A record with its fields; version 1 has the system properties it is asked for, with \#
        two underscores before their names. What an Idempotency-Key repeats may be only id and version.",
            "type": "object",
            "properties": {
              "id": {"type": "string"},
              "todosync": {"$ref": "#/components/schemas/Layout"},
              "version": {"type": "string"}, "__version": {"type": "string"},
              "createdAt": {"$ref": "#/components/schemas/Time"},
              "__createdAt": {"$ref": "#/components/schemas/Time"},
              "updatedAt": {"$ref": "#/components/schemas/Time"},
              "__updatedAt": {"$ref": "#/components/schemas/Time"},
              "deleted": {"type": "boolean"}, "__deleted": {"type": "boolean"}
            }
          },
          "Time": {
            "type": "string",
            "pattern": "^([+-]\\d{2,5})?\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
          },
          "Conflict": {
            "description": "The record as it is; in version 1 with the members of an error beside its own.",
            "allOf": [{"$ref": "#/components/schemas/Record"}],
            "required": ["id"]
          },
          "List": {
            "anyOf": [
              {"type": "array", "items": {"$ref": "#/components/schemas/Record"}},
              {
                "type": "object",
                "required": ["results", "count"],
                "properties": {
                  "results": {"type": "array", "items": {"$ref": "#/components/schemas/Record"}},
                  "count": {"type": "integer", "minimum": 0}
                },
                "additionalProperties": false
              },
              {"$ref": "#/components/schemas/Changes"}
            ]
          },
          "Changes": {
            "description": "Records in the order of writing, and the link to the next page or to later changes.",
            "type": "object",
            "required": ["@todosync.identity", "value"],
            "properties": {
              "@todosync.identity": {"type": "string"},
              "@todosync.layout": {
                "description": "The members that the property todosync of a record can have.",
                "type": "array", "items": {"type": "string"}
              },
              "value": {"type": "array", "items": {"$ref": "#/components/schemas/Record"}},
              "@odata.nextLink": {"type": "string", "format": "uri"},
              "@odata.deltaLink": {"type": "string", "format": "uri"}
            },
            "oneOf": [{"required": ["@odata.nextLink"]}, {"required": ["@odata.deltaLink"]}],
            "additionalProperties": false
          },
          "Batch": {
            "type": "object",
            "required": ["requests"],
            "properties": {
              "requests": {
                "type": "array",
                "maxItems": 1000,
                "items": {
                  "type": "object",
                  "required": ["id", "method", "url"],
                  "properties": {
                    "id": {"type": "string", "description": "Another one for each request."},
                    "method": {"type": "string"},
                    "url": {"type": "string", "maxLength": 4000, "example": "/tables/todoitem"},
                    "headers": {
                      "type": ["object", "null"], "maxProperties": 100,
                      "additionalProperties": {"type": "string"}
                    },
                    "body": {}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "BatchAnswer": {
            "type": "object",
            "required": ["responses"],
            "properties": {
              "responses": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["id", "status"],
                  "properties": {
                    "id": {"type": "string"},
                    "status": {"type": "integer"},
                    "headers": {"type": "object", "additionalProperties": {"type": "string"}},
                    "body": {}
                  },
                  "additionalProperties": false
                }
              }
            },
            "additionalProperties": false
          },
          "Description": {"type": "object", "required": ["openapi", "paths"]}
        }
        """#
}
