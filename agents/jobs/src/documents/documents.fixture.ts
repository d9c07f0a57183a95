import { readFileSync } from 'node:fs'

import { extractText, getDocumentProxy } from 'unpdf'

import { type Resume } from './blocks.ts'
import { plain } from '../markdown/rich-text.ts'
import { toResume } from './to-resume.ts'
import { readBlocks } from './read-blocks.ts'

/** A resume of the samples. For tests. */
export function sample(name: 'english' | 'chinese' | 'hard'): string {
  return readFileSync(new URL(`samples/${name}.md`, import.meta.url), 'utf8')
}

export function read(markdown: string): Resume {
  return toResume(readBlocks(markdown))
}

/** The words of a resume in their order; what parts a date from the rest, or contacts, may go. */
export function wordsOf({ name = [], contact, blocks }: Resume): string {
  const texts = blocks.map((block) => {
    switch (block.kind) {
      case 'row':
        return block.cells.map(plain).join(' ')
      case 'rule':
        return ''
      default:
        return plain(block.text)
    }
  })
  return bare([plain(name), ...contact.map(plain), ...texts].join('\n'))
}

/** Without spaces, bullets, numbers of lists and separators. */
export function bare(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s•|｜·–-]|(?<=^|\s)\d+\.(?=\s)/gu, '')
}

/**
 * What a program that reads resumes finds on each page of a PDF. The number of a page is no part of the resume. For
 * tests.
 */
export async function textOf(bytes: Uint8Array, withNumbers = false): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: false })
  return text.map((page, at) => (withNumbers || at === 0 ? page : page.replace(/\s*\d+ \/ \d+\s*$/, '')))
}
