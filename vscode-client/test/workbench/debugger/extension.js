// Starts the adapter of debugpy with the interpreter that launch.json names.
const vscode = require("vscode");

exports.activate = ({ subscriptions }) => {
  const factory = {
    createDebugAdapterDescriptor: ({ configuration }) =>
      new vscode.DebugAdapterExecutable(configuration.python, ["-m", "debugpy.adapter"]),
  };
  subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("debugpy-of-tests", factory));
};
