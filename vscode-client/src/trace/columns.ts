/** The UTF-16 offset, as VS Code counts, of a column counted in code points. */
export function utf16(line: string, column: number): number {
  return Array.from(line).slice(0, column).join("").length;
}
