import { toolResult, type ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'

/**
 * The agent's own cards. A page draws each by its fields, so that a skill's, which has others, can have none of these
 * names.
 */
export const cardTypes = [
  'almanac_card',
  'bazi_chart',
  'bazi_fortune',
  'bazi_kline',
  'bazi_relationship',
  'collect_form',
  'data_deletion',
  'day_list',
  'insight_card',
  'memory_forgotten',
  'memory_list',
  'memory_saved',
  'need_info',
  'question',
  'report',
  'search_results',
  'skill_switch',
] as const

/**
 * What a tool shows: a page knows it by `cardType`, and one that does not know it can read out `text`. `error` says
 * what is lacking, with `needInfo` where a form would give it.
 */
export type Card = {
  readonly status: 'success' | 'collecting' | 'asking' | 'error'
  readonly cardType: (typeof cardTypes)[number]
  readonly [field: string]: Json | undefined
}

/** `text` goes to the model, to readers who see no card, and stands in the card itself. */
export function cardResult(card: Card, text: string): ToolResult {
  return toolResult({ output: { ...card, text }, text })
}
