import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { readHomeFile } from './index.ts'

const schema = z
  .strictObject({
    text: z.string(),
    count: z.int().max(9),
    share: z.number(),
    on: z.boolean(),
    list: z.array(z.string()),
    kind: z.enum(['one', 'two']),
    either: z.union([z.boolean(), z.array(z.string())]),
    models: z.record(z.string(), z.strictObject({ address: z.string(), tier: z.int() }).partial()),
  })
  .partial()

describe('readHomeFile', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const read = async (
    text: string,
    env: Record<string, string> = {},
    name = 'file.yaml',
  ): Promise<z.infer<typeof schema> | undefined> => {
    await writeFile(join(folder, name), text)
    return readHomeFile(join(folder, name), schema, env)
  }

  it('accepts a missing and an empty file', async () => {
    expect(readHomeFile(join(folder, 'none.yaml'), schema, {})).toBeUndefined()
    expect(readHomeFile(join(folder, 'no-folder', 'none.json'), schema, {})).toBeUndefined()
    expect(await read('# nothing yet\n')).toEqual({})
  })

  it.each([
    ['file.yaml', 'text: hi\nlist: [a]\nmodels: { m: { tier: 1 } }'],
    ['file.json', '{\n\t"text": "hi",\n\t"list": ["a"],\n\t"models": {"m": {"tier": 1}}\n}'],
  ])("detects the format by the file's name: %s", async (name, text) => {
    expect(await read(text, {}, name)).toEqual({ text: 'hi', list: ['a'], models: { m: { tier: 1 } } })
  })

  it.each([
    ['${NAME}', 'Ada'],
    ['${NAME:Bob}', 'Ada'],
    ['${NONE:Bob}', 'Bob'],
    ['${EMPTY:Bob}', 'Bob'],
    ['${NONE:http://host:8080/a:b}', 'http://host:8080/a:b'],
    ['Dear ${NAME}, of ${NONE:nowhere}', 'Dear Ada, of nowhere'],
    ['${NONE:}!', '!'],
    ['$${NAME} costs $5', '${NAME} costs $5'],
    ['${QUOTES}', '"}, on: true, x: {"'],
    ['${DOLLARS}', '${NAME} $& $1'],
    ['${DIGITS}', '42'],
  ])('expands environment variables: %s', async (words, text) => {
    const env = {
      NAME: 'Ada',
      EMPTY: '',
      DIGITS: '42',
      QUOTES: '"}, on: true, x: {"',
      DOLLARS: '${NAME} $& $1',
    }

    expect(await read(JSON.stringify({ text: words }), env)).toEqual({ text })
    expect(await read(JSON.stringify({ text: words }), env, 'file.json')).toEqual({ text })
  })

  it('converts the text of a variable to a number or a boolean if the schema expects one', async () => {
    const text =
      'count: ${N}\nshare: "${SHARE:-0.5}"\non: ${ON:true}\nmodels: { m: { tier: "${N}", address: "${N}" } }'

    expect(await read(text, { N: '7' })).toEqual({
      count: 7,
      share: -0.5,
      on: true,
      models: { m: { tier: 7, address: '7' } },
    })
    await expect(read('count: "7"')).rejects.toThrow('count must be a number.')
    await expect(read('count: 1${N}', { N: '7' })).rejects.toThrow('count must be a number.')
  })

  it('leaves out variables that are empty', async () => {
    expect(await read('text: ${NONE:}\nlist: ["${NONE:}", b]\ncount: ${NONE:}')).toEqual({ list: ['b'] })
  })

  it('does not quote the value of a variable in an error', async () => {
    const refusal = read('count: ${KEY}\nkind: ${KEY}\nshare: ${KEY}', { KEY: 'sk-secret' })

    await expect(refusal).rejects.toThrow(
      'count must be a number. share must be a number. kind must be one of one, two.',
    )
    await expect(refusal).rejects.not.toThrow('sk-secret')
  })

  it.each([
    ['text: ${NONE}', 'text wants the variable NONE, which is not set. ${NONE:default} gives it a default.'],
    ['list: [a, "${NONE}"]', 'list[1] wants the variable NONE'],
    ['text: ${9}', 'text holds a ${ that begins no ${NAME} and no ${NAME:default}'],
    ['models: { m: { tier: x } }', 'models.m.tier must be a number.'],
    ['models: { m: { teir: 1 } }', 'models.m.teir is not known'],
    ['cuont: 1', 'cuont is not known: is count meant?'],
    ['count: 10', 'count must be at most 9.'],
    ['either: 1', 'either must be true or false.'],
    ['count: 1.5', 'count must be a whole number.'],
    ['list:', 'list has no value: give it one, or leave it out.'],
    ['list: [~, b]', 'list[0] has no value'],
    ['kind: ~', 'kind has no value'],
    ['either: null', 'either has no value'],
    ['models: { m: { tier: null } }', 'models.m.tier has no value'],
    ['', 'The file is empty: remove it, or write its fields.'],
    [' \n\t', 'The file is empty'],
    ['text', 'The file must be a group of fields.'],
    ['- text: a', 'The file must be a group of fields.'],
    ['__proto__: { polluted: true }', '__proto__ is no name for a field.'],
    ['models: { m: { __proto__: {} } }', 'models.m.__proto__ is no name for a field.'],
    ['text: a\ntext: b', 'Invalid YAML: Map keys must be unique at line 2, column 1.'],
    ['text: a\n---\ntext: b', 'multiple documents'],
    ['text: !!js/function x', 'Invalid YAML: Unresolved tag'],
    ['text: *nothing', 'Invalid YAML: Unresolved alias'],
    [
      `list: [&a [${'x,'.repeat(9)}], &b [${'*a,'.repeat(9)}], [${'*b,'.repeat(9)}]]`,
      'Excessive alias count',
    ],
    ['models: &all\n  again: *all', 'is nested too deeply.'],
    ['['.repeat(20_000), 'Invalid YAML'],
    ['text: ' + 'x'.repeat(300_000), 'The file is larger than 256 KB.'],
  ])('names a problem (case %#)', async (text, sentence) => {
    const refusal = read(text)

    await expect(refusal).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(refusal).rejects.toThrow(sentence)
    await expect(refusal).rejects.toThrow(join(folder, 'file.yaml'))
  })

  it('gives the position of a JSON error', async () => {
    await expect(read('{\n  "text": oops\n}', {}, 'file.json')).rejects.toThrow(
      'Invalid JSON at line 2, column 11.',
    )
    await expect(read('{"__proto__": {}}', {}, 'file.json')).rejects.toThrow(
      '__proto__ is no name for a field.',
    )
  })

  it('lists five problems, and counts the rest', async () => {
    const refusal = read('a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: 1')

    await expect(refusal).rejects.toThrow('There are 2 more mistakes.')
  })

  it('accepts a byte order mark, comments in JSON, and the same name in two objects', async () => {
    expect(await read('\uFEFFtext: a')).toEqual({ text: 'a' })
    expect(await read('\uFEFF{"text": "a"}', {}, 'file.json')).toEqual({ text: 'a' })
    const commented =
      '{"$schema": "x", "//": 1, "_text": "b", "models": {"m": {"tier": 1}, "n": {"tier": 1, "_": {}}}}'
    expect(await read(commented, {}, 'file.json')).toEqual({ models: { m: { tier: 1 }, n: { tier: 1 } } })
  })

  it.each([
    ['{"text": "a", "text": "b"}', 'text is there twice.'],
    ['{"models": {"m": {"tier": 1, "address": "{", "tier": 2}}}', 'models.m.tier is there twice.'],
    ['{"list": ["a", "list"], "l\\u0069st": []}', 'list is there twice.'],
    ['{"models": {"m": {}, "x": {}, "m": {"tier": 1}}}', 'models.m is there twice.'],
    ['null', 'The file has no value'],
    ['[]', 'The file must be a group of fields.'],
    ['{"list": null}', 'list has no value'],
    ['', 'The file is empty'],
  ])('refuses what a JSON file would lose: %s', async (text, sentence) => {
    await expect(read(text, {}, 'file.json')).rejects.toThrow(sentence)
  })

  it('refuses text in another encoding', async () => {
    for (const bytes of [Buffer.from('list: [caf\xe9]', 'latin1'), Buffer.from('\uFEFFtext: a', 'utf16le')]) {
      await writeFile(join(folder, 'file.yaml'), bytes)
      expect(() => readHomeFile(join(folder, 'file.yaml'), schema, {})).toThrow(
        'The file is not text in UTF-8.',
      )
    }
  })

  it.each([
    ['file.yaml', 'file.yml'],
    ['file.yaml', 'file.json'],
    ['file.yaml', 'File.yaml'],
    ['file.yaml', 'files.yaml'],
    ['file.json', 'file.yaml'],
    ['file.json', 'FILE.JSON'],
    ['file.json', 'file.jsonc'],
    ['file.yaml', 'file.yaml.txt'],
    ['file.yaml', 'file.txt'],
  ])('refuses to go without %s next to %s', async (name, other) => {
    await writeFile(join(folder, other), 'text: a')

    expect(() => readHomeFile(join(folder, name), schema, {})).toThrow(
      `The file is called ${other}: rename it to ${name}, or it does not count.`,
    )
    await writeFile(join(folder, name), '{"text": "b"}')
    expect(readHomeFile(join(folder, name), schema, {})).toEqual({ text: 'b' })
  })

  it('refuses a link to nothing, and ignores copies', async () => {
    await writeFile(join(folder, 'file.yaml.bak'), 'text: a')
    await writeFile(join(folder, 'other-file.yaml'), 'text: a')
    expect(readHomeFile(join(folder, 'file.yaml'), schema, {})).toBeUndefined()
    await symlink(join(folder, 'none'), join(folder, 'file.yaml'))
    expect(() => readHomeFile(join(folder, 'file.yaml'), schema, {})).toThrow('It is a link to nothing.')
  })

  it('refuses a path that is no file', () => {
    expect(() => readHomeFile(folder, schema, {})).toThrow(`${folder}: It is no file.`)
    expect(() => readHomeFile('/dev/null', schema, {})).toThrow('/dev/null: It is no file.')
  })
})
