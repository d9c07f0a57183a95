import { isJsonObject, type Answer, type Json, type ToolEvent } from '../events/index.ts'

/**
 * What a tool returned, for the clients of the AI SDK: the words and the data, or the words alone where there are no data. Data that say
 * the words themselves, and cards, are told as they are. An output that the client gave comes back as the client gave
 * it.
 */
export function toToolOutput(output: Json, text: string, answer?: Answer): Json {
  if (answer?.kind === 'output') return output
  if (isCard(output) || (isJsonObject(output) && output['text'] === text)) return output
  return output === null || output === text ? text : { text, data: output }
}

/** The same for those who take nothing but a text: the words that the model reads; of a card its JSON, for a page to draw. */
export function toToolText(output: Json, text: string): string {
  return isCard(output) ? JSON.stringify(output) : text
}

/** A card has its own words for its reader: what the model reads may be instructions. */
function isCard(output: Json): boolean {
  return isJsonObject(output) && typeof output['cardType'] === 'string' && typeof output['text'] === 'string'
}

/** What a tool tells on its way, as the datum `tool-progress`: no version of the AI SDK has another place for it in all its clients. */
export function toToolProgress({
  callId,
  delta,
  output,
}: Extract<ToolEvent, { type: 'tool.progressed' }>): Json {
  return {
    toolCallId: callId,
    ...(delta !== undefined && { delta }),
    ...(output !== undefined && { output }),
  }
}
