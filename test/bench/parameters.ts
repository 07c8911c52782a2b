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
  return {
    ...call(`${url}/api/v1/documents`, token),
    sendQuery: true,
    queryParameters: { parameters: [{ name: 'limit', value: '200' }] },
    options: {
      pagination: {
        pagination: {
          paginationMode: 'updateAParameterInEachRequest',
          parameters: {
            parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.nextCursor }}' }],
          },
          paginationCompleteWhen: 'other',
          completeExpression: '={{ !$response.body.nextCursor }}',
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
