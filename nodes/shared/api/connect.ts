import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  IHookFunctions,
  ILoadOptionsFunctions,
} from 'n8n-workflow';
import { agencyOrigin } from './address';
import { agencyKey } from './key';
import { AgencyClient, type ClientOptions } from './client';

/** The one credential type of the package. */
const CREDENTIAL_TYPE = 'accountingAgencyApi';

/** While a person waits, at activation or for a list, a request is repeated once or twice at most. */
const WHILE_WAITED_FOR: ClientOptions = {
  attempts: 3,
  // n8n 2.x activates up to five times and gives up after 84 seconds; only an error of the node itself names the agency.
  patienceMs: 10_000,
};

/**
 * A client for the agency of a node's credential. The credential is read and decrypted once, here, and handed on
 * with each request.
 *
 * @throws InputError when the credential's address or key cannot be used
 */
export async function agencyClient(
  context: IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions,
  options: ClientOptions = {},
): Promise<AgencyClient> {
  const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
  // Seen now, not by n8n's helper, whose errors are those of requests.
  const secret = agencyKey(data.token);
  const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data };
  const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
  return new AgencyClient(
    async (request) =>
      await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, request, {
        credentialsDecrypted,
      }),
    agencyOrigin(data.address),
    { ...('getInputData' in context ? {} : WHILE_WAITED_FOR), secret, signal, ...options },
  );
}
