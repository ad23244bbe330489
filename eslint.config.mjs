import { builtinModules } from 'node:module'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  globalIgnores(['**/dist/', '**/coverage/', '**/fixtures/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-cond-assign': 'error',
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-control-regex': 'error',
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-fallthrough': 'error',
      'no-loss-of-precision': 'error',
      'no-misleading-character-class': 'error',
      'no-regex-spaces': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-catch': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true }
      ]
    }
  },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: {
        // Not the project service: it takes the nearest tsconfig.json, and the packages leave their tests out of theirs.
        project: ['packages/*/tsconfig.json', 'rules/tsconfig.json', 'tsconfig.tests.json'],
        tsconfigRootDir: import.meta.dirname
      }
    },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }]
    }
  },
  {
    // The core runs in a browser worker too: only src/node/ may know Node.
    files: ['packages/core/src/**/*.ts'],
    ignores: ['packages/core/src/node/**', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: builtinModules.map((name) => ({ name, message: 'Only packages/core/src/node/ may use Node.' })),
          patterns: [
            { regex: '^node:', message: 'Only packages/core/src/node/ may use Node.' },
            { regex: '/node/', message: 'Take what comes from outside through the Host.' }
          ]
        }
      ]
    }
  }
)
