import type {
  ICredentialDataDecryptedObject,
  ICredentials,
  ICredentialsExpressionResolveValues,
  IExecuteData,
  IHttpRequestOptions,
  INodeCredentialsDetails,
  INodeProperties,
  IRequestOptionsSimplified,
  IWorkflowExecuteAdditionalData,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';
import { AccountingAgencyApi } from '../../credentials/AccountingAgencyApi.credentials';

/** What a user enters into the credential. */
export interface AgencyCredential extends ICredentialDataDecryptedObject {
  address: string;
  token: string;
}

/** n8n's credential store with one credential in it, whose own `authenticate` is what adds the key. */
export class OneCredential extends ICredentialsHelper {
  private readonly type = new AccountingAgencyApi();

  constructor(private readonly credential: AgencyCredential) {
    super();
  }

  getParentTypes(): string[] {
    return [];
  }

  isCredentialUsableByNode(): boolean {
    return true;
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    _typeName: string,
    requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
  ): Promise<IHttpRequestOptions> {
    if (typeof this.type.authenticate !== 'function') {
      throw new Error('The credential adds its key by a function.');
    }
    // As n8n does it, also for its older helper, which calls the address "uri" and is used by the HTTP Request node.
    const options: IHttpRequestOptions = Object(requestOptions);
    return await this.type.authenticate(credentials, options);
  }

  async preAuthentication(): Promise<undefined> {
    return undefined;
  }

  async runPreAuthentication(): Promise<undefined> {
    return undefined;
  }

  async getCredentials(): Promise<ICredentials> {
    throw new Error('Nothing encrypted is kept here.');
  }

  /** The credential as n8n's server gives it: its expressions resolved for the item that asks. */
  async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _nodeCredentials: INodeCredentialsDetails,
    _type: string,
    mode: WorkflowExecuteMode,
    executeData?: IExecuteData,
    _raw?: boolean,
    values?: ICredentialsExpressionResolveValues,
  ): Promise<ICredentialDataDecryptedObject> {
    const holdsExpression = Object.values(this.credential).some((value) => String(value).startsWith('='));
    if (values === undefined || !holdsExpression) return { ...this.credential };
    const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
    const resolved = Object.entries(this.credential).map(([name, value]) => [
      name,
      workflow.expression.getParameterValue(
        String(value),
        runExecutionData,
        runIndex,
        itemIndex,
        node.name,
        connectionInputData,
        mode,
        {},
        executeData,
      ),
    ]);
    return Object.fromEntries(resolved);
  }

  async updateCredentials(): Promise<void> {
    throw new Error('Nothing is written here.');
  }

  async updateCredentialsOauthTokenData(): Promise<void> {
    throw new Error('Nothing is written here.');
  }

  getCredentialsProperties(): INodeProperties[] {
    return this.type.properties;
  }
}
