const MAX_NAME_LENGTH = 64

/**
 * The name of a tool that every provider takes in a request. Models make names up that none does, and a request that
 * repeats one would be refused from then on.
 * https://platform.openai.com/docs/api-reference/chat/create#chat_create-tools
 */
export function promptName(tool: string): string {
  return tool.replaceAll(/[^\w-]/g, '_').slice(0, MAX_NAME_LENGTH) || 'unknown'
}
