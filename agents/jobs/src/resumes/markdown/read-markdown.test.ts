import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { JsonResume } from '../json-resume.ts'
import { readMarkdown } from './read-markdown.ts'

describe('readMarkdown', () => {
  it.each([
    ['chinese', []],
    ['english', ['The section "My Superpowers" is not one that we know: it is kept in the text only.']],
  ])('reads the %s sample as JSON Resume', (name, errors) => {
    const sample = (ending: string): string =>
      readFileSync(new URL(`samples/${name}.${ending}`, import.meta.url), 'utf8')

    expect(readMarkdown(sample('md'))).toEqual({ data: JSON.parse(sample('json')) as JsonResume, errors })
  })
})

describe('what is wrong with a resume', () => {
  it.each([
    ['Hello!', 'No work, education, projects or skills were found'],
    ['# Ada\n\n## Work\n\n### Engineer @ Acme\n\n- a', 'No dates were found for the work "Acme".'],
    [
      `# Ada\n\n## Skills\n\nGo\n${'\n'.repeat(200_000)}`,
      'Only the first 200,000 characters were read as data',
    ],
  ])('is said of %j', (markdown, sentence) => {
    expect(readMarkdown(markdown).errors).toContainEqual(expect.stringContaining(sentence))
  })
})

describe('a text of megabytes', () => {
  it('is read as far as any resume goes, and that is said', () => {
    const { data, errors } = readMarkdown(`# Ada\n\n## Skills\n\n${'Go, C++\n'.repeat(500_000)}`)

    expect(data.skills?.length).toBeLessThan(51_000)
    expect(errors).toEqual([expect.stringContaining('Only the first 200,000 characters were read as data')])
  })
})
