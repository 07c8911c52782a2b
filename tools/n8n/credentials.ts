import type { Session } from './session';

/** A credential that a workflow's node can point to. */
export interface Credential {
  id: string;
  name: string;
  type: string;
}

/** Saves a credential as a person does in the editor. */
export async function createCredential(
  session: Session,
  credential: { name: string; type: string; data: Record<string, unknown> },
): Promise<Credential> {
  const { id } = await session.call<{ id: string }>('POST', '/rest/credentials', credential);
  return { id, name: credential.name, type: credential.type };
}

/** What n8n shows after a saved credential was tested. */
export async function testCredential(
  session: Session,
  credential: Credential,
): Promise<{ status: 'OK' | 'Error'; message: string }> {
  const { data } = await session.call<{ data: Record<string, unknown> }>(
    'GET',
    `/rest/credentials/${credential.id}?includeData=true`,
  );
  return session.call('POST', '/rest/credentials/test', { credentials: { ...credential, data } });
}
