import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  IHookFunctions,
  ILoadOptionsFunctions,
  IPollFunctions,
  ITriggerFunctions,
} from 'n8n-workflow';
import { agencyKey, agencyOrigin } from './credential';
import { AgencyClient, type ClientOptions } from './client';

/** The one credential type of the package. */
const CREDENTIAL_TYPE = 'accountingAgencyApi';

/** While a person waits, at activation or for a list, a request is repeated once or twice at most. */
const WHILE_WAITED_FOR: ClientOptions = {
  attempts: 3,
  // n8n 2.x activates up to five times and gives up after 84 seconds; only an error of the node itself names the agency.
  timeoutMs: 10_000,
};

type Context =
  IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** What a credential says: the agency, the key, and what n8n's helper is handed with each request. */
interface Credential {
  origin: string;
  secret: string;
  data: ICredentialDataDecryptedObject;
}

/**
 * A client for the agency of a node's credential. The credential is read and decrypted once, here, and handed on
 * with each request.
 *
 * @throws InputError when the credential's address or key cannot be used
 */
export async function agencyClient(context: Context, options: ClientOptions = {}): Promise<AgencyClient> {
  const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
  return clientOf(context, usable(data), options);
}

/**
 * The clients of a run: each item acts with its own credential, whose fields may hold expressions, and items of the
 * same credential share one client, so that they share its pace.
 *
 * @returns gives the client of an item, by its number from 0; throws InputError like `agencyClient`
 */
export function itemClients(context: IExecuteFunctions): (itemIndex: number) => Promise<AgencyClient> {
  const clients = new Map<string, AgencyClient>();
  return async (itemIndex) => {
    const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE, itemIndex);
    const credential = usable(data);
    const key = JSON.stringify([credential.origin, credential.secret]);
    const client = clients.get(key) ?? clientOf(context, credential, {});
    clients.set(key, client);
    return client;
  };
}

/** Seen now, not by n8n's helper, whose errors are those of requests. */
function usable(data: ICredentialDataDecryptedObject): Credential {
  return { secret: agencyKey(data.token), origin: agencyOrigin(data.address), data };
}

function clientOf(
  context: Context,
  { origin, secret, data }: Credential,
  options: ClientOptions,
): AgencyClient {
  const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data };
  const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
  return new AgencyClient(
    async (request) =>
      await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, request, {
        credentialsDecrypted,
      }),
    origin,
    { ...('getInputData' in context ? {} : WHILE_WAITED_FOR), secret, signal, ...options },
  );
}
