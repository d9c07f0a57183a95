import type { Json } from 'dragoman/events'

export const toolGroups = ['collect', 'compute', 'display', 'action'] as const

/** A card that a skill brings itself, without code: what is shown is what its tool is called with. */
export type SkillCard = {
  readonly description: string
  readonly cardType: string
  /** JSON Schema of an object. */
  readonly parameters: { readonly [field: string]: Json }
  /** The name of the data part that has its content, too. */
  readonly data?: string
  /** The fields of its form, if it asks for something. */
  readonly form?: readonly Json[]
}

/** A tool as a skill's `tools.yaml` has it: one of the agent's own by its name, or a card of the skill's. */
export type SkillTool = {
  readonly group: (typeof toolGroups)[number]
  readonly name: string
  readonly whenToCall?: string
  readonly card?: SkillCard
}

/** A folder with `SKILL.md`, as https://agentskills.io/specification describes it. */
export type Skill = {
  /** Usually the folder's: letters of a to z, digits, hyphens and underscores. */
  readonly name: string
  readonly description: string
  readonly body: string
  /** What stands in `rules/` and `references/`, as `rules/ten-gods.md`. */
  readonly files: readonly string[]
  readonly tools: readonly SkillTool[]
  /** Tools that its file names and this server does not have. The model would make up what they give. */
  readonly missing?: readonly string[]
  /** Always told, and in no catalogue. */
  readonly core: boolean
  /** Titles for pages, from its metadata. */
  readonly title?: { readonly zh?: string; readonly en?: string }
  readonly from: 'dragoman' | 'home'
  /** Its real path, without links in it. */
  readonly folder: string
}

/** All skills at one moment. */
export type Library = {
  readonly skills: readonly Skill[]
  /** What is wrong with folders that are left out, or with parts of those that are not: a sentence each. */
  readonly notes: readonly string[]
}

export interface Skills {
  /** As the folders are: at most a second old. */
  library(): Promise<Library>
  /** The text of one of a skill's files. @throws ServiceError `not-found` */
  read(skill: Skill, file: string): Promise<string>
}

/** The topics of a conversation. */
export const topics = ['career', 'relationship', 'fortune', 'health', 'self', 'general'] as const
