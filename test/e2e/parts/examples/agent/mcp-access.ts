import { askAgency } from '../../../../../tools/n8n/agency';
import type { Desk } from '../desk';

/** Whether a company may be reached through MCP now: a switch that only an administrator can approve. */
export async function mcpEnabled({ stage: { agency } }: Desk, companyId: string): Promise<boolean> {
  const path = `/companies/${encodeURIComponent(companyId)}/settings`;
  const { agent } = await askAgency<{ agent: { mcpEnabled: boolean } }>(agency, path);
  return agent.mcpEnabled;
}

/** Which of the desk's companies cannot be reached through MCP, by their places in its list. */
export async function withoutMcp(desk: Desk): Promise<number[]> {
  const off: number[] = [];
  for (const [index, { id }] of desk.companies.entries()) if (!(await mcpEnabled(desk, id))) off.push(index);
  return off;
}
