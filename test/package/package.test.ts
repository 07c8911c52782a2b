import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packPackage, runNodeScript, type Packed } from '../support/packed';

const ROOT = join(__dirname, '../..');
const LONG = 120_000;
/** What nodes and credential share. */
const SHARED = 'dist/nodes/shared.js';
/** What is loaded with the first call to a webhook, and with the first poll. */
const LATER = ['dist/nodes/delivery.js', 'dist/nodes/poll.js'];

let packed: Packed;
beforeAll(async () => {
  packed = await packPackage();
}, LONG);
afterAll(async () => await rm(packed.folder, { recursive: true, force: true }));

const built = () => [...packed.manifest.n8n.nodes, ...packed.manifest.n8n.credentials];
const code = () => [...built(), SHARED, ...LATER];

describe('The tarball', () => {
  test('holds the built nodes and credential, icons, previews and papers, and nothing else', () => {
    const expected = [
      /^package\.json$/,
      /^(README|LICENSE|CHANGELOG)\.md$/,
      /^dist\/icons\/accountingAgency\.(light|dark)\.svg$/,
      /^dist\/credentials\/AccountingAgencyApi\.credentials\.js$/,
      /^dist\/nodes\/(AccountingAgency|AccountingAgencyFeedTrigger|AccountingAgencyTrigger)\/\1\.node\.js(on)?$/,
      /^dist\/nodes\/(shared|delivery|poll)\.js$/,
      /^dist\/nodes\/AccountingAgency\/__schema__\/v[\d.]+\/\w+\/\w+\.json$/,
    ];
    expect(packed.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE.md',
        'package.json',
        'dist/icons/accountingAgency.light.svg',
      ]),
    );
  });

  test('has every path that package.json names', () => {
    expect(built()).toHaveLength(4);
    expect(packed.files).toEqual(expect.arrayContaining(built()));
  });

  test('has the icons and codex files that its nodes and credential name', async () => {
    for (const file of built()) {
      const text = await readFile(join(packed.installed, file), 'utf8');
      const icons = [...text.matchAll(/["'`]file:([^"'`]+\.svg)["'`]/g)].map(([, icon = '']) =>
        join(file, '..', icon),
      );
      expect(icons.length).toBeGreaterThan(0);
      expect(packed.files).toEqual(expect.arrayContaining(icons));
    }
    for (const node of packed.manifest.n8n.nodes) {
      expect(packed.files).toContain(`${node}on`);
      // The sources name the pages alone.
      const codex = await readFile(join(packed.installed, `${node}on`), 'utf8');
      const pages = [...codex.matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url);
      expect(pages).toHaveLength(2);
      for (const url of pages) expect(url).toMatch(/^https:\/\/.+\/docs\/[\w-]+\.md(#[\w-]+)?$/);
    }
  });

  test('needs no other package, and runs nothing when it is installed', () => {
    const { dependencies = {}, peerDependencies, scripts } = packed.manifest;
    expect(dependencies).toEqual({});
    expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
    const onInstall = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];
    expect(Object.keys(scripts).filter((name) => onInstall.includes(name))).toEqual([]);
  });

  test('asks for nothing but what every n8n has', async () => {
    const asked = new Set<string>();
    for (const file of code()) {
      const text = await readFile(join(packed.installed, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)) asked.add(name);
      expect(text).not.toMatch(/\bimport\s*\(/);
    }
    const own = ['../delivery.js', '../nodes/shared.js', '../poll.js', '../shared.js', './shared.js'];
    expect([...asked].sort()).toEqual([...own, 'luxon', 'n8n-workflow', 'node:crypto']);
  });

  test('has in its shared file everything that nodes and credential take from there', async () => {
    const script = `console.log(JSON.stringify(Object.keys(require('./${SHARED}'))));`;
    const shared: unknown = JSON.parse(await runNodeScript(script, packed.installed));
    for (const file of [...built(), ...LATER]) {
      const text = await readFile(join(packed.installed, file), 'utf8');
      expect(text.match(/\brequire\("[^"]*\/shared\.js"\)/g)).toHaveLength(1);
      const taken = [...text.matchAll(/\bshared\$\.(\w+)/g)].map(([, property]) => property);
      expect(taken.length).toBeGreaterThan(0);
      expect(shared).toEqual(expect.arrayContaining(taken));
    }
  });

  test('is written in ASCII, since V8 takes half as long again to compile other text', async () => {
    for (const file of code()) {
      const text = await readFile(join(packed.installed, file), 'utf8');
      expect(text.match(/[\u0080-\uffff]/g)).toBeNull();
    }
  });

  test('is small', () => {
    expect(packed.files.length).toBeLessThanOrEqual(40);
    expect(packed.unpackedSize).toBeLessThanOrEqual(250_000);
  });
});

describe('Loaded', () => {
  test('beside nothing but n8n-workflow and luxon, each class has the name of its file', async () => {
    const script = `
      const files = ${JSON.stringify(built())};
      const made = files.map((file) => {
        const [name, ...others] = Object.keys(require('./' + file));
        const made = new (require('./' + file))[name]();
        return [name, others, made.description?.name ?? made.name];
      });
      console.log(JSON.stringify(made));`;
    const made: unknown = JSON.parse(await runNodeScript(script, packed.installed));
    const names = [
      'accountingAgency',
      'accountingAgencyFeedTrigger',
      'accountingAgencyTrigger',
      'accountingAgencyApi',
    ];
    expect(made).toEqual(built().map((file, index) => [basename(file).split('.')[0], [], names[index]]));
  });

  test.each(['AccountingAgency', 'AccountingAgencyTrigger', 'AccountingAgencyFeedTrigger'])(
    'in an n8n that is too old, %s says which one it needs',
    async (name) => {
      const script = `
        const Module = require('node:module');
        const load = Module._load;
        Module._load = (request, ...rest) => request === 'n8n-workflow' ? {} : load(request, ...rest);
        try {
          require('./dist/nodes/${name}/${name}.node.js');
        } catch (error) {
          console.log(error.message);
        }`;
      expect(await runNodeScript(script, packed.installed)).toContain('needs n8n 1.105 or newer');
    },
  );

  test(
    "by n8n's own loader, the nodes and the credential are known",
    async () => {
      const script = `
      require('reflect-metadata');
      const { PackageDirectoryLoader } = require('n8n-core');
      const loader = new PackageDirectoryLoader(${JSON.stringify(packed.installed)});
      loader.loadAll().then(() => {
        const { nodes, credentials } = loader.types;
        console.log(JSON.stringify({
          known: loader.known,
          nodes: nodes.map(({ name, iconUrl, codex, usableAsTool }) => ({ name, icon: typeof iconUrl, codex: codex?.categories, tool: !!usableAsTool })),
          credentials: credentials.map(({ name, iconUrl, supportedNodes }) => ({ name, icon: typeof iconUrl, supportedNodes })),
        }));
      });`;
      const loaded = JSON.parse(
        await runNodeScript(script, ROOT, { N8N_USER_FOLDER: packed.folder, N8N_LOG_LEVEL: 'silent' }),
      );
      expect(Object.keys(loaded.known.nodes).sort()).toEqual([
        'accountingAgency',
        'accountingAgencyFeedTrigger',
        'accountingAgencyTrigger',
      ]);
      expect(Object.keys(loaded.known.credentials)).toEqual(['accountingAgencyApi']);
      expect(loaded.nodes).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'accountingAgency', icon: 'object', tool: true }),
          expect.objectContaining({ name: 'accountingAgencyFeedTrigger', icon: 'object', tool: false }),
          expect.objectContaining({ name: 'accountingAgencyTrigger', icon: 'object', tool: false }),
        ]),
      );
      expect(loaded.credentials[0].supportedNodes.sort()).toEqual([
        'accountingAgency',
        'accountingAgencyFeedTrigger',
        'accountingAgencyTrigger',
      ]);
    },
    LONG,
  );
});

describe("n8n's own scan of community packages", () => {
  const scan = async (folder: string, patterns: string[]) => {
    const script = `
      import('@n8n/scan-community-package/scanner/scanner.mjs')
        .then(({ analyzePackage }) => analyzePackage(${JSON.stringify(folder)}, ${JSON.stringify(patterns)}))
        .then((result) => console.log('RESULT ' + JSON.stringify(result)));`;
    const [, result = ''] = (await runNodeScript(script, ROOT)).split('RESULT ');
    return JSON.parse(result) as unknown;
  };

  test(
    'finds nothing in what is published',
    async () => {
      expect(await scan(packed.installed, ['**/*.js', 'package.json'])).toEqual({ passed: true });
    },
    LONG,
  );

  test(
    'finds nothing in the sources',
    async () => {
      const source = join(packed.folder, 'source');
      const patterns = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
      expect(await scan(source, patterns)).toEqual({ passed: true });
    },
    LONG,
  );
});
