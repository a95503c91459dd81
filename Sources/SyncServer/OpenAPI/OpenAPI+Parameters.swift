extension OpenAPI {
    static let info = """
        {
          "title": "todosync",
          "version": "1",
          "summary": "Todos in tables, by the protocol of Azure Mobile Services and Azure Mobile Apps.",
          "description": "Requests with ZUMO-API-VERSION 2.0.x are of version 2, those without it of version 1, \
        whose system properties begin with two underscores and are returned when asked for."
        }
        """

    static let security = """
        [{}, {"application": []}, {"bearer": []}, {"token": []}]
        """

    static let securitySchemes = """
        {
          "application": {"type": "apiKey", "in": "header", "name": "x-zumo-application"},
          "bearer": {"type": "http", "scheme": "bearer"},
          "token": {"type": "apiKey", "in": "header", "name": "X-ZUMO-AUTH"}
        }
        """

    static let headers = #"""
        {
          "ETag": {
            "description": "The record's version in quotation marks; one inside it is written \\\". To version 1 \#
        only if it asked for the version or sent If-Match.",
            "schema": {"type": "string", "pattern": "^\".*\"$"}
          },
          "Location": {"description": "The record's URL.", "schema": {"type": "string", "format": "uri"}},
          "Link": {
            "description": "The next page of a list of version 2: its URL, not in angle brackets; rel=next.",
            "schema": {"type": "string", "pattern": "^[^;]+; rel=next$"}
          },
          "Preference-Applied": {"schema": {"type": "string"}},
          "Idempotency-Replayed": {
            "description": "This write was done before, by a request with the same Idempotency-Key.",
            "schema": {"type": "string", "const": "true"}
          },
          "todosync-cursor": {
            "description": "The tokens before and behind the batch's writes, between which nothing else came.",
            "schema": {"type": "string", "pattern": "^[!-~]{1,255} [!-~]{1,255}$"}
          },
          "WWW-Authenticate": {"schema": {"type": "string"}},
          "Retry-After": {"description": "Seconds.", "schema": {"type": "string", "pattern": "^[0-9]+$"}}
        }
        """#

    static let parameters = #"""
        {
          "table": {
            "name": "table", "in": "path", "required": true,
            "description": "A table's name, in any letter case.",
            "schema": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,127}$"}
          },
          "id": {
            "name": "id", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/ID"}
          },
          "version": {
            "name": "ZUMO-API-VERSION", "in": "header",
            "description": "The protocol's version; absent for version 1. A query parameter of this name wins.",
            "schema": {"type": "string", "pattern": "^2\\.0\\.[0-9]{1,9}$"}
          },
          "ifMatch": {
            "name": "If-Match", "in": "header",
            "description": "The version that the record must have, in quotation marks, or *.",
            "schema": {"type": "string", "pattern": "^(\\*|\"(\\\\\"|\\\\(?!\")|[ -!#-\\[\\]-~])*\")$"},
            "example": "\"AAAAAAMhBCU=\""
          },
          "ifNoneMatch": {
            "name": "If-None-Match", "in": "header",
            "description": "Versions that the client has, in quotation marks, each with or without W/ before it, or *.",
            "schema": {
              "type": "string",
              "pattern": "^(\\*|(W/)?\"[ -!#-\\[\\]-~]*\"( *, *(W/)?\"[ -!#-\\[\\]-~]*\")*)$"
            }
          },
          "idempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "description": "Tells this write from all others, so that it is done once though it is sent again.",
            "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"}
          },
          "prefer": {
            "name": "Prefer", "in": "header",
            "description": "return=minimal of a write; odata.track-changes and odata.maxpagesize=N of a list.",
            "schema": {"type": "string"},
            "example": "return=minimal"
          },
          "accepted": {
            "name": "todosync-accepted", "in": "header",
            "description": "With odata.track-changes: an operation and the version it led to, which the table's \#
        history must have, or the answer is 410.",
            "schema": {"type": "string", "pattern": "^[!-~]{1,255} [!-~]{1,64}$"}
          },
          "filter": {
            "name": "$filter", "in": "query", "schema": {"type": "string"}, "example": "complete eq false"
          },
          "orderby": {
            "name": "$orderby", "in": "query", "schema": {"type": "string"}, "example": "text desc"
          },
          "select": {
            "name": "$select", "in": "query", "schema": {"type": "string"}, "example": "id,text"
          },
          "skip": {
            "name": "$skip", "in": "query",
            "schema": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807}
          },
          "top": {
            "name": "$top", "in": "query",
            "description": "The records wanted; 50 of version 1 unless said. With odata.track-changes only 0.",
            "schema": {"type": "integer", "minimum": 0, "maximum": 1000}
          },
          "inlinecount": {
            "name": "$inlinecount", "in": "query", "schema": {"enum": ["allpages", "none"]}
          },
          "count": {
            "name": "$count", "in": "query", "description": "Of version 2 only.", "schema": {"type": "boolean"}
          },
          "deltatoken": {
            "name": "$deltatoken", "in": "query",
            "description": "Of version 2 only: the token of a link in an answer with changes.",
            "schema": {"type": "string"}
          },
          "includeDeleted": {
            "name": "__includeDeleted", "in": "query", "schema": {"type": "boolean"}
          },
          "systemProperties": {
            "name": "__systemProperties", "in": "query",
            "description": "Of version 1 only: * or a comma list of createdAt, updatedAt, version, deleted, with \#
        or without __ before them.",
            "schema": {"type": "string"}, "example": "__version"
          }
        }
        """#
}
