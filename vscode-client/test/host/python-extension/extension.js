// The Python extension's public API as far as other extensions ask it for the interpreter, and `select` for tests.
const { EventEmitter, Uri } = require("vscode");

exports.activate = () => {
  const changed = new EventEmitter();
  let selected = process.env.INPLACE_TEST_PYTHON;
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: selected, path: selected }),
      resolveEnvironment: async ({ path }) => ({ id: path, executable: { uri: Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
    select(path) {
      selected = path;
      changed.fire({ id: path, path, resource: undefined });
    },
  };
};
