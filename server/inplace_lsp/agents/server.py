"""The server: what its client may ask, and how a call becomes an answer or a sentence that says why there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
from jsonschema import Draft202012Validator
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from inplace_lsp.agents.call import CallError
from inplace_lsp.agents.hazard_pages import list_pages, read_page
from inplace_lsp.agents.tool import Arguments, Tool
from inplace_lsp.agents.tools import TOOLS
from inplace_lsp.version import __version__

INSTRUCTIONS = (
    "inplace-lsp finds the in-place writes that break PyTorch gradients, by reading the source. After you have written "
    "or changed code that trains, call `check` with the changed files; apply a repair whose `fix.applicability` is "
    "safe, and follow `advice` otherwise. When torch has raised an error about an in-place operation, call `why` with "
    "the message: torch's traceback does not name the line that wrote."
)
UNTRUSTED = (
    "`{name}` runs the user's code, and this server was not allowed to. The user can allow it by starting the server "
    "with `inplace-lsp mcp --allow-run`."
)
Context = ServerRequestContext[Any, Any]


def serve(*, allow_run: bool) -> None:
    """Answer a client on stdin and stdout until it is gone."""
    anyio.run(_serve, allow_run)


async def _serve(allow_run: bool) -> None:
    handlers = _Handlers(allow_run)
    server = Server[Any](
        "inplace-lsp",
        version=__version__,
        title="inplace-lsp",
        instructions=INSTRUCTIONS,
        website_url="https://inplace-lsp.readthedocs.io",
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_read_resource=handlers.read_resource,
    )
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Handlers:
    """The answers to a client's requests. `allow_run`: whether the user's code may run; only whoever starts the server
    can say so."""

    def __init__(self, allow_run: bool) -> None:
        self._allow_run = allow_run

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Return all tools, also those that would be refused: the refusal says how to allow them."""
        return types.ListToolsResult(tools=[_describe_tool(tool) for tool in TOOLS.values()])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Return the answer of a tool, or why there is none."""

        async def show(done: float, total: float) -> None:
            await context.session.report_progress(done, total, f"{int(done)} of {int(total)} files")

        try:
            tool = self._find_tool(params.name)
            arguments = params.arguments or {}
            _refuse_invalid(tool, arguments)
            answer = await tool.answer(arguments, show)
        except CallError as error:
            return types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
        text = json.dumps(answer, ensure_ascii=False)
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=answer)

    def _find_tool(self, name: str) -> Tool:
        """Return the tool of that name. Raises CallError if there is none, or if it may not run."""
        tool = TOOLS.get(name)
        if tool is None:
            raise CallError(f"there is no tool {name!r}; the tools are {', '.join(TOOLS)}")
        if tool.runs_code and not self._allow_run:
            raise CallError(UNTRUSTED.format(name=name))
        return tool

    async def list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Return the pages of the codes."""
        return types.ListResourcesResult(resources=list_pages())

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return a page."""
        page = read_page(params.uri)
        if page is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no page {params.uri}; resources/list names all")
        return types.ReadResourceResult(contents=[page])


def _describe_tool(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=not tool.runs_code, destructive_hint=tool.runs_code, open_world_hint=tool.runs_code
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=dict(tool.output),
        annotations=hints,
    )


def _refuse_invalid(tool: Tool, arguments: Arguments) -> None:
    """Raise CallError, with every mistake in it, for arguments that do not fit the schema."""
    mistakes = list(_find_mistakes(tool, arguments))
    if mistakes:
        raise CallError(f"the arguments of `{tool.name}` are wrong: {'; '.join(mistakes)}")


def _find_mistakes(tool: Tool, arguments: Arguments) -> Iterator[str]:
    for error in Draft202012Validator(tool.input_schema).iter_errors(arguments):
        where = "/".join(map(str, error.absolute_path))
        yield f"`{where}`: {error.message}" if where else error.message
