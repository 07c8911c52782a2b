import { readExamples } from '../../../../tools/demo/workflows';
import { isRecord } from '../../../../nodes/shared/values/json';
import { Halt } from '../../../../tools/n8n/processes/halt';
import type { WorkflowNode } from '../../../../tools/n8n/workflows';
import type { Desk } from './desk';

/**
 * What a person does with an example that makes a data table, as its note says: nothing in n8n 2. In n8n 1, whose node
 * makes none, the table is made by hand and selected in the other nodes.
 */
export async function tableOf(
  { stage: { host, session } }: Desk,
  file: string,
): Promise<Record<string, Partial<WorkflowNode>>> {
  if (host.major > 1) return {};
  const nodes = (await readExamples()).get(file)?.nodes ?? [];
  const ofTables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
  const maker = ofTables.find(({ parameters }) => parameters['resource'] === 'table');
  if (!maker) throw new Halt(`examples/${file} makes no data table.`);
  const { tableName, columns } = maker.parameters;
  const project = await session.call<{ id: string }>('GET', '/rest/projects/personal');
  const { id } = await session.call<{ id: string }>('POST', `/rest/projects/${project.id}/data-tables`, {
    name: tableName,
    columns: isRecord(columns) ? columns['column'] : undefined,
  });
  const selected = { dataTableId: { __rl: true, mode: 'list', value: id, cachedResultName: tableName } };
  return Object.fromEntries(
    ofTables.map((node) => [node.name, node === maker ? { disabled: true } : { parameters: selected }]),
  );
}
