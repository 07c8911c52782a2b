import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { agencyOrigin, API_PATH } from '../../nodes/shared/api/address';
import { Halt } from '../n8n/halt';
import { type ApiDocument, readDocument } from './document';

const KNOWN = 'sandbox/openapi.yaml';

/** The contract that the nodes are made for. */
export function knownContract(): ApiDocument {
  return readDocument(parse(readFileSync(join(__dirname, '../..', KNOWN), 'utf8')), KNOWN);
}

/**
 * The contract that an agency publishes; needs no key.
 *
 * @param address as in the credential, e.g. `https://agency.example`
 * @throws InputError for what is no address of an agency; Halt when no OpenAPI description comes back
 */
export async function publishedContract(address: string): Promise<ApiDocument> {
  const url = `${agencyOrigin(address)}${API_PATH}/openapi.json`;
  const response = await reach(url);
  if (!response.ok) {
    throw new Halt(`${url} answered with status ${response.status}. Check the address of the agency.`);
  }
  const text = await response.text();
  return readDocument(parsed(text, url), url);
}

async function reach(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    throw new Halt(`${url} could not be reached. Check the address and the network.`, { cause: error });
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Halt(`${url} did not answer with JSON. Check the address of the agency.`, { cause: error });
  }
}
