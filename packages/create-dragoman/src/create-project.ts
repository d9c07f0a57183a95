import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { PROVIDERS, type ProjectOptions } from './options.ts'

const TEMPLATE = join(import.meta.dirname, '../template')
/** npm leaves these out of a package under their own names. */
const RENAMED = { _gitignore: '.gitignore', _dockerignore: '.dockerignore' }
const PROVIDER_VERSIONS: Readonly<Record<string, string>> = {
  '@ai-sdk/anthropic': '^4.0.105',
  '@ai-sdk/openai': '^4.0.118',
  '@ai-sdk/google': '^4.0.121',
}

type Manifest = {
  name: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/**
 * Writes a project. `version` is the version of dragoman that it uses.
 *
 * @throws Error if the folder is not empty
 */
export async function createProject(
  { folder, provider, page }: ProjectOptions,
  version: string,
): Promise<void> {
  const root = resolve(folder)
  if (existsSync(root) && readdirSync(root).length > 0)
    throw new Error(`${folder} is not empty. Choose another folder.`)
  await mkdir(root, { recursive: true })
  await cp(join(TEMPLATE, 'base'), root, { recursive: true })
  const manifest = await readManifest('base')
  if (page) {
    await cp(join(TEMPLATE, 'page'), root, { recursive: true })
    const pageManifest = await readManifest('page')
    Object.assign(manifest.scripts, pageManifest.scripts)
    Object.assign(manifest.dependencies, pageManifest.dependencies)
    Object.assign(manifest.devDependencies, pageManifest.devDependencies)
  }
  const providerDefaults = PROVIDERS[provider]
  manifest.name = packageName(basename(root))
  manifest.dependencies['dragoman'] = `^${version}`
  if (page) manifest.dependencies['@dragoman/client'] = `^${version}`
  if (providerDefaults)
    manifest.dependencies[providerDefaults.package] = PROVIDER_VERSIONS[providerDefaults.package] ?? 'latest'
  await writeFile(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const [from, to] of Object.entries(RENAMED)) await rename(join(root, from), join(root, to))
  const values = {
    NAME: manifest.name,
    KEY: providerDefaults ? providerDefaults.key : 'ANTHROPIC_API_KEY',
    PAGE: page
      ? '\n`npm run page` serves the chat page on http://localhost:5173 while `npm start` runs.\n'
      : '',
  }
  const model = providerDefaults ? `  model: '${providerDefaults.model}',\n` : ''
  await editFile(join(root, 'src/agent.ts'), (text) => text.replace(/^  model: .*\n/m, model))
  for (const file of ['README.md', '.env.example'])
    await editFile(join(root, file), (text) =>
      text.replaceAll(/\{\{([A-Z]+)\}\}/g, (_match, name: keyof typeof values) => values[name]),
    )
}

async function readManifest(part: 'base' | 'page'): Promise<Manifest> {
  return JSON.parse(await readFile(join(TEMPLATE, part, 'package.json'), 'utf8')) as Manifest
}

async function editFile(file: string, edit: (text: string) => string): Promise<void> {
  await writeFile(file, edit(await readFile(file, 'utf8')))
}

/** A folder's name as npm takes it. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|(?<!-)-+$/g, '')
  return name === '' ? 'my-agent' : name
}
