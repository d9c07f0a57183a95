import { isJsonObject, type Json } from 'dragoman/events'

/**
 * Whether a request is one of a client that was written for a server of pi: it sends pi's own model objects. Such a
 * client knows the tools by pi's names, and shows the words of an answer but no error.
 */
export function isPiClient(llmConfig: Json | undefined): boolean {
  return (
    isJsonObject(llmConfig) && isJsonObject(llmConfig['model']) && isJsonObject(llmConfig['streamOptions'])
  )
}

/** Pi's name of a tool. */
export function toPiName(tool: string): string {
  return PI_NAMES.get(tool) ?? tool
}

const PI_NAMES: ReadonlyMap<string, string> = new Map([
  ['read_file', 'read'],
  ['write_file', 'write'],
  ['edit_file', 'edit'],
  ['list_directory', 'ls'],
  ['search_files', 'grep'],
  ['glob_files', 'find'],
  ['execute_command', 'bash'],
])
