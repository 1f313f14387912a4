import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const typed = ["src/**/*.ts", "test/**/*.ts"];

export default defineConfig(
  globalIgnores(["dist", "bundled", "node_modules"]),
  js.configs.recommended,
  { files: typed, extends: [tseslint.configs.strictTypeChecked] },
  {
    files: typed,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/explicit-module-boundary-types": "error",
    },
  },
  {
    files: ["test/host/python-extension/*.js", "test/workbench/debugger/*.js"],
    languageOptions: { sourceType: "commonjs", globals: { require: false, exports: false, process: false } },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        console: false,
        process: false,
        URL: false,
        setTimeout: false,
        clearTimeout: false,
        fetch: false,
        Buffer: false,
        URLSearchParams: false,
        document: false, // in what is run inside a page
        window: false,
      },
    },
  },
);
