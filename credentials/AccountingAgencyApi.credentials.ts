import type {
  IAuthenticate,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';
import { ADDRESS_EDGES, withKey } from '../nodes/shared/api/credential';

/** What `agencyOrigin` makes of the address, as far as an expression can say it. */
const ORIGIN = String.raw`={{ $credentials.address.replace(${ADDRESS_EDGES}, '').replace(/^(?=(localhost|127\.[\d.]+|\[::1\])(:\d+)?([\/?#]|$))/i, 'http://').replace(/^(?![a-z][a-z\d+.-]*:\/\/)/i, 'https://').split(/[\/?#]/).slice(0, 3).join('/') }}`;

const NOT_THE_API =
  "This address returned a response that is not from the agency's API. Check the Agency Address: it must be the address of the agency itself.";

/** What the API's codes mean for the credential; `INSUFFICIENT_SCOPE` is missing, since such a key is valid. */
const REFUSALS: Array<[code: string, message: string]> = [
  [
    'INVALID_API_KEY',
    'The agency does not accept this key. It may be mistyped, revoked or expired, or belong to another agency.',
  ],
  [
    'FEATURE_NOT_INCLUDED',
    'The plan of this agency does not include API access. An administrator of the agency can add it.',
  ],
  ['RATE_LIMITED', 'The key has used up its requests for this minute. Test again in a minute.'],
  ['FORBIDDEN', 'The agency does not allow this key here. Ask an administrator of the agency.'],
  // n8n 1.x looks at the bodies of these as well, see `except` below.
  ['NOT_FOUND', NOT_THE_API],
  ['METHOD_NOT_ALLOWED', NOT_THE_API],
  ['VALIDATION_ERROR', NOT_THE_API],
  ['INTERNAL_ERROR', 'The agency has an internal error. Test again later.'],
  ['STORAGE_UNAVAILABLE', 'The agency is not available at the moment. Test again in a few minutes.'],
];

/**
 * What no answer of the API has in these places, and JSON of another service often has. n8n can only compare one field
 * at a time, so that JSON without any of them passes. A body that is a text and no JSON is a web page, a redirect, or
 * nothing at all.
 */
const FOREIGN: Array<[key: string, value: unknown]> = [
  ...[String, Number, Boolean, undefined].map((type): [string, unknown] => ['constructor', type]),
  ...[String, Number, Boolean, Object].map((type): [string, unknown] => ['data.constructor', type]),
  ...[String, Number, Boolean, Array].map((type): [string, unknown] => ['error.constructor', type]),
  ['error.code.constructor', Number],
  ['message.constructor', String],
  ['detail.constructor', String],
  ['status.constructor', String],
  ['status.constructor', Number],
];

/** The agency's address and a key for it: the one credential of both nodes (spec: Authentication). */
export class AccountingAgencyApi implements ICredentialType {
  name = 'accountingAgencyApi';

  displayName = 'Accounting Agency API';

  icon: Icon = {
    light: 'file:../icons/accountingAgency.light.svg',
    dark: 'file:../icons/accountingAgency.dark.svg',
  };

  // Spelled out, as n8n's linter wants it; a test compares it with the other addresses.
  documentationUrl =
    'https://git.example/accounting-agency/n8n-nodes-accounting-agency/blob/main/docs/security.md#the-credential';

  properties: INodeProperties[] = [
    {
      displayName: 'Agency Address',
      name: 'address',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://agency.example',
      description:
        'The address of your agency, as it appears in your browser. The key is not sent to any other address.',
    },
    {
      displayName: 'API Key or Access Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'An administrator of the agency creates it in the application: first an access with scopes and companies, then a key for it',
    },
  ];

  authenticate: IAuthenticate = async (credentials, requestOptions) => withKey(credentials, requestOptions);

  test: ICredentialTestRequest = {
    request: {
      baseURL: ORIGIN,
      url: '/api/v1/companies',
      qs: { limit: 1 },
      headers: { Accept: 'application/json' },
      disableFollowRedirect: true,
      // Answers that the API never gives here; n8n shows their status text. All others are told apart by their body:
      // n8n sends a request twice whose 401 is an error, and takes no rules on both status and body.
      ignoreHttpStatusErrors: { ignore: true, except: [400, 404, 405, 502, 504] },
    },
    rules: [
      ...REFUSALS.map(([code, message]) => ({
        type: 'responseSuccessBody' as const,
        properties: { key: 'error.code', value: code, message },
      })),
      ...FOREIGN.map(([key, value]) => ({
        type: 'responseSuccessBody' as const,
        properties: { key, value, message: NOT_THE_API },
      })),
    ],
  };
}
