import type { INodeParameters } from 'n8n-workflow';

/** Document: Get Many of our node. */
export function listByOurs(changes: INodeParameters): INodeParameters {
  return { resource: 'document', operation: 'getAll', returnAll: false, output: 'simplified', ...changes };
}

/** Document: Upload of our node, to a company. */
export function uploadByOurs(companyId: string, concurrency: number): INodeParameters {
  return {
    resource: 'document',
    operation: 'upload',
    companyId: { __rl: true, mode: 'id', value: companyId },
    binaryPropertyName: 'data',
    output: 'simplified',
    options: { concurrency },
  };
}

/** The HTTP Request node with the pagination that the API asks for. */
export function listByHttp(url: string, token?: string): INodeParameters {
  return pagesByHttp(url, '/documents', 'cursor', token);
}

/**
 * The HTTP Request node that reads a list, or the event feed, to its end: the feed never ends with `null`.
 *
 * @param path with the filters
 * @param cursor name of the parameter that takes the position
 */
export function pagesByHttp(
  url: string,
  path: string,
  cursor: 'cursor' | 'after',
  token?: string,
): INodeParameters {
  const isFeed = cursor === 'after';
  return {
    ...call(`${url}/api/v1${path}`, token),
    sendQuery: true,
    queryParameters: { parameters: [{ name: 'limit', value: '200' }] },
    options: {
      pagination: {
        pagination: {
          paginationMode: 'updateAParameterInEachRequest',
          parameters: {
            parameters: [{ type: 'qs', name: cursor, value: '={{ $response.body.nextCursor }}' }],
          },
          paginationCompleteWhen: 'other',
          completeExpression: isFeed
            ? '={{ $response.body.data.length === 0 }}'
            : '={{ !$response.body.nextCursor }}',
          limitPagesFetched: false,
        },
      },
    },
  };
}

/** Two HTTP Request nodes that do what Document: Upload does: the file, then the document. */
export function uploadByHttp(
  url: string,
  companyId: string,
  token?: string,
): [INodeParameters, INodeParameters] {
  return [
    {
      ...call(`${url}/api/v1/files`, token),
      method: 'POST',
      sendQuery: true,
      queryParameters: { parameters: [{ name: 'filename', value: '={{ $binary.data.fileName }}' }] },
      sendBody: true,
      contentType: 'binaryData',
      inputDataFieldName: 'data',
    },
    {
      ...call(`${url}/api/v1/documents`, token),
      method: 'POST',
      sendBody: true,
      contentType: 'json',
      specifyBody: 'keypair',
      bodyParameters: {
        parameters: [
          { name: 'fileId', value: '={{ $json.id }}' },
          { name: 'companyId', value: companyId },
          { name: 'filename', value: '={{ $json.filename }}' },
        ],
      },
    },
  ];
}

/** A call with the key in a header: given here, or else by n8n's own "Header Auth" credential. */
function call(url: string, token: string | undefined): INodeParameters {
  const authorization = { name: 'Authorization', value: `Bearer ${token ?? ''}` };
  return {
    method: 'GET',
    url,
    ...(token === undefined
      ? { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' }
      : { authentication: 'none', sendHeaders: true, headerParameters: { parameters: [authorization] } }),
    options: {},
  };
}

/** Document: Get of our node. */
export function getByOurs(documentId: string): INodeParameters {
  return { resource: 'document', operation: 'get', documentId, output: 'simplified' };
}

/** The HTTP Request node that reads a record of each item. */
export const getByHttp = (url: string, token?: string): INodeParameters => call(url, token);

/** The HTTP Request node that sends a change, and goes on whatever the answer is. */
export function changeByHttp(
  url: string,
  body: object,
  token: string,
  headers: Record<string, string> = {},
): INodeParameters {
  const authorization = { Authorization: `Bearer ${token}` };
  return {
    ...call(url, token),
    method: 'PATCH',
    headerParameters: {
      parameters: Object.entries({ ...authorization, ...headers }).map(([name, value]) => ({ name, value })),
    },
    sendBody: true,
    contentType: 'json',
    specifyBody: 'json',
    jsonBody: JSON.stringify(body),
    options: { response: { response: { neverError: true } } },
  };
}

/** Document: Download of our node. */
export function downloadByOurs(documentId: string): INodeParameters {
  return {
    resource: 'document',
    operation: 'download',
    documentId,
    binaryPropertyName: 'data',
  };
}

/** The HTTP Request node that stores a document's file. */
export function downloadByHttp(url: string, documentId: string, token?: string): INodeParameters {
  return {
    ...call(`${url}/api/v1/documents/${documentId}/content`, token),
    options: { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } },
  };
}
