import {
  AlignmentType,
  Document,
  LevelFormat,
  Packer,
  type INumberingOptions,
  type IParagraphStylePropertiesOptions,
  type IRunStylePropertiesOptions,
  type IStylesOptions,
} from 'docx'

import type { Language } from '../words/language.ts'
import { type Resume } from './blocks.ts'
import { plain } from '../markdown/rich-text.ts'
import { paragraphsOf, twips } from './docx-paragraphs.ts'
import type { Drawing, DrawOptions } from './drawing.ts'
import { paperSizes, styleOf, type Style, type TypeStyle } from './templates.ts'

/** Word has both, on each of its machines. */
const FONT = { ascii: 'Calibri', hAnsi: 'Calibri', cs: 'Calibri', eastAsia: 'Microsoft YaHei' }
/** As many as Word has. */
const LEVELS = 9

/** Makes a file of Word that can be worked on: headings are headings, lists are lists, nothing is drawn. */
export async function drawDocx(resume: Resume, look: DrawOptions): Promise<Drawing> {
  const style = styleOf(look.template, look.language)
  const { width, height } = paperSizes[look.paper]
  const { side, top, bottom } = style.margins
  const name = plain(resume.name ?? []).trim()
  const margin = { top: twips(top), bottom: twips(bottom), left: twips(side), right: twips(side) }
  const document = new Document({
    title: look.title ?? (name === '' ? 'Resume' : name),
    creator: name === '' ? 'dragoman' : name,
    lastModifiedBy: 'dragoman',
    styles: stylesOf(style, look.language),
    numbering: numberingOf(style, resume),
    sections: [
      {
        properties: { page: { size: { width: twips(width), height: twips(height) }, margin } },
        children: paragraphsOf(resume, style, width - side * 2),
      },
    ],
  })
  return { bytes: Uint8Array.from(await Packer.toBuffer(document)), replaced: [] }
}

/** Sizes of type are counted in halves of a point. */
function runOf({ size, color, weight, tracking }: TypeStyle): IRunStylePropertiesOptions {
  const bold = weight === 'bold' || weight === 'medium'
  return {
    font: FONT,
    size: Math.round(size * 2),
    color: color.slice(1),
    bold,
    characterSpacing: twips(tracking * size),
  }
}

function paragraphOf(type: TypeStyle, before: number, after: number): IParagraphStylePropertiesOptions {
  return {
    spacing: { before: twips(before), after: twips(after), line: Math.round(240 * (type.leading - 0.2)) },
    ...(type.centered && { alignment: AlignmentType.CENTER }),
  }
}

function stylesOf(style: Style, language: Language): IStylesOptions {
  const { name, contact, section, entry, body, gaps } = style
  const minor = { ...entry, size: body.size }
  const lang = language === 'zh' ? 'zh-CN' : 'en-US'
  const heading = (
    type: TypeStyle,
    before: number,
    after: number,
  ): { run: IRunStylePropertiesOptions; paragraph: IParagraphStylePropertiesOptions } => ({
    run: runOf(type),
    paragraph: { ...paragraphOf(type, before, after), keepNext: true },
  })
  return {
    default: {
      document: {
        run: { ...runOf(body), language: { value: lang, eastAsia: 'zh-CN' } },
        paragraph: paragraphOf(body, 0, gaps.paragraph),
      },
      heading1: heading(name, 0, 2),
      heading2: heading(section, gaps.section, gaps.afterSection),
      heading3: heading(entry, gaps.entry, 1),
      heading4: heading(minor, gaps.entry, 1),
      heading5: heading(minor, gaps.entry, 1),
      heading6: heading(minor, gaps.entry, 1),
    },
    paragraphStyles: [
      {
        id: 'Contact',
        name: 'Contact',
        basedOn: 'Normal',
        run: runOf(contact),
        paragraph: paragraphOf(contact, 0, 0),
      },
    ],
  }
}

/** All bullets are one list. Each ordered list is a list of its own, because its numbers restart. */
function numberingOf({ bullets, indent }: Style, { blocks }: Resume): INumberingOptions {
  const indentAt = (level: number): { left: number; hanging: number } => ({
    left: twips(indent * (level + 1)),
    hanging: twips(indent),
  })
  const levelsOf = (
    format: (typeof LevelFormat)[keyof typeof LevelFormat],
    textAt: (level: number) => string,
    start = 1,
  ): INumberingOptions['config'][number]['levels'] =>
    Array.from({ length: LEVELS }, (_, level) => ({
      level,
      format,
      start,
      text: textAt(level),
      style: { paragraph: { indent: indentAt(level) } },
    }))
  const starts = blocks.flatMap((block) =>
    block.kind === 'item' && block.starts === true ? [block.number ?? 1] : [],
  )
  return {
    config: [
      {
        reference: 'bullets',
        levels: levelsOf(LevelFormat.BULLET, (level) => bullets[Math.min(level, bullets.length - 1)] ?? '•'),
      },
      ...starts.map((start, at) => ({
        reference: `numbers-${at}`,
        levels: levelsOf(LevelFormat.DECIMAL, (level) => `%${level + 1}.`, start),
      })),
    ],
  }
}
