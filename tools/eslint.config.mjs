// The rules of what is not shipped: sandbox, tests and tools may use Node.js freely.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(js.configs.recommended, tseslint.configs.strict, {
  languageOptions: { globals: { console: 'readonly', process: 'readonly' } },
});
