#!/usr/bin/env node
import { readFileSync } from 'node:fs'

import { askOptions } from './ask-options.ts'
import { createProject } from './create-project.ts'
import { parseOptions } from './options.ts'

const HELP = `npm create dragoman@latest [FOLDER] -- [options]

  --provider NAME   anthropic, openai, google or none
  --page, --no-page with or without a chat page
  --yes, -y         takes the default of each question
`
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  try {
    const flags = parseOptions(args)
    if (flags.help) {
      process.stdout.write(HELP)
      return 0
    }
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY
    const options = await askOptions(isTerminal ? flags : { ...flags, yes: true })
    if (!options) return 1
    await createProject(options, version)
    const next = [`cd ${options.folder}`, 'npm install', 'npm start']
    process.stdout.write(
      `\nCreated ${options.folder}. Next:\n\n${next.map((line) => `  ${line}\n`).join('')}\n`,
    )
    return 0
  } catch (error) {
    process.stderr.write(`create-dragoman: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
