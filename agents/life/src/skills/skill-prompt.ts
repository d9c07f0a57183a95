import type { Skill, SkillTool } from './skill.ts'

/**
 * A skill's instructions for the model, between tags: they are the server's own, not a stranger's. At most so many
 * characters; what is cut is said.
 */
export function skillPrompt(skill: Skill, most: number = Number.POSITIVE_INFINITY): string {
  const { name, files, tools, missing = [] } = skill
  const intents = fitting(intentRows(tools), most / 3)
  const further = fitting(files, most / 6)
  const tail = [
    ...(intents.length > 0 ? ['', 'What the user wants, and the tool that you then call:', ...intents] : []),
    ...(further.length > 0
      ? ['', 'Read on with read_skill_file, only when you need it:', ...further.map((file) => `- ${file}`)]
      : []),
    ...missingLine(fitting(missing, most / 6)),
  ].join('\n')
  const [opening, closing] = [`<skill name="${name}">`, '</skill>']
  const room = most - tail.length - opening.length - closing.length - 10
  return [opening, cut(skill, room), ...(tail === '' ? [] : [tail]), closing].join('\n')
}

function missingLine(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const list = names.join(', ')
  return [
    '',
    `These tools are not here, wherever they are named: ${list}. Do without them, and make up nothing that they ` +
      'would give.',
  ]
}

function cut({ name, body }: Skill, most: number): string {
  if (body.length <= most) return body
  const rest = `[Cut here. The rest: read_skill_file {"skill": "${name}", "file": "SKILL.md"}]`
  return `${body.slice(0, Math.max(most - rest.length, 0)).toWellFormed()}\n${rest}`
}

/** A table of intents and tools. Without it models do not call the tools that they know. */
function intentRows(tools: readonly SkillTool[]): string[] {
  const rows = tools.flatMap(({ name, whenToCall }) =>
    whenToCall ? [`| ${whenToCall.replaceAll('|', '/')} | ${name} |`] : [],
  )
  return rows.length > 0 ? ['| when | call |', '| --- | --- |', ...rows] : []
}

/** The lines that fit, and the number of the others. */
function fitting(lines: readonly string[], most: number): string[] {
  let remaining = most
  const first = lines.filter((line) => (remaining -= line.length + 3) >= 0)
  return first.length === lines.length ? first : [...first, `[${lines.length - first.length} more]`]
}
