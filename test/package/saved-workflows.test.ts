import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeType, NodeHelpers } from 'n8n-workflow';
import { n8n, name, version } from '../../package.json';
import { AccountingAgencyApi } from '../../credentials/AccountingAgencyApi.credentials';
import { AccountingAgency } from '../../nodes/AccountingAgency/AccountingAgency.node';
import { AccountingAgencyFeedTrigger } from '../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import { AccountingAgencyTrigger } from '../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';

const FOLDER = join(__dirname, '../fixtures/workflows');

const TYPES: Record<string, INodeType> = {
  [`${name}.accountingAgency`]: new AccountingAgency(),
  [`${name}.accountingAgencyFeedTrigger`]: new AccountingAgencyFeedTrigger(),
  [`${name}.accountingAgencyTrigger`]: new AccountingAgencyTrigger(),
};

const saved = readdirSync(FOLDER).flatMap((release) =>
  readdirSync(join(FOLDER, release)).flatMap((file) => {
    const { nodes }: { nodes: INode[] } = JSON.parse(readFileSync(join(FOLDER, release, file), 'utf8'));
    return nodes
      .filter(({ type }) => type.startsWith(`${name}.`))
      .map((node): [string, INode] => [`${release}/${file}: ${node.name}`, node]);
  }),
);

test('this release has saved workflows, with every node', () => {
  const types = saved.filter(([label]) => label.startsWith(`${version}/`)).map(([, { type }]) => type);
  expect([...new Set(types)].sort()).toEqual(Object.keys(TYPES));
  expect(n8n.nodes).toHaveLength(Object.keys(TYPES).length);
});

test.each(saved)('%s is still what it was', (_, node) => {
  const { description } = TYPES[node.type] ?? {};
  if (description === undefined) throw new Error(`The package has no node ${node.type}`);
  expect([description.version].flat()).toContain(node.typeVersion);
  expect(Object.keys(node.credentials ?? {})).toEqual([new AccountingAgencyApi().name]);

  // What n8n makes of the saved parameters when it opens the workflow: it drops what the node does not know.
  const opened = NodeHelpers.getNodeParameters(
    description.properties,
    node.parameters,
    true,
    false,
    node,
    description,
  );
  expect(opened).toMatchObject(node.parameters);
  expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBeNull();
});
