import type { Agent, View } from '../api/types.ts'

/** Where the page of an agent is. */
export function agentPagePath(agentId: string): string {
  return `/console/agents/${agentId}`
}

/** The name and the description of an agent in the language of the page. */
export function agentTexts(
  { name, description, translations }: Agent,
  language: string,
): { readonly name: string; readonly description: string } {
  return { name, description, ...translations[language] }
}

export type AgentPageLink = { readonly path: string; readonly title: string }

/** The pages of the agents, for the navigation. */
export function agentPages(agents: readonly Agent[], language: string): readonly AgentPageLink[] {
  return agents.flatMap(({ id, views }) =>
    views
      .filter(({ kind }) => kind === 'page')
      .map(({ title }) => ({ path: agentPagePath(id), title: titleIn(title, language) })),
  )
}

/** The title of a view in the language of the page, or in English. */
export function titleIn(title: View['title'], language: string): string {
  return title?.[language] ?? title?.en ?? ''
}
