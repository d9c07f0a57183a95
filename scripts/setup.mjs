// Installs Node and the locked packages and builds the console, so that `npm start` and `npm test` work in a fresh
// clone on a machine with only an old Node and npm. So it runs on Node 18 and imports no package.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './folder-lock.mjs'
import { buildConsole, isConsoleBuilt } from './build-console.mjs'
import { npm } from './npm.mjs'

const WAIT_MS = 10 * 60_000
const onWindows = process.platform === 'win32'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const setup = join(root, '.setup')
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node
const platform = `${onWindows ? 'win' : process.platform}-${process.arch}`
const executable = onWindows ? 'node.exe' : 'node'
/**
 * The repository's Node, which `npm run` finds before the machine's, and the place where the `node` package puts it.
 */
const links = [join(root, 'node_modules/.bin', executable), join(root, 'node_modules/node/bin', executable)]
/** Written last, into the folder that `npm ci` empties first: an interrupted set-up leaves none. */
const marker = join(root, 'node_modules/.dragoman-setup')

/**
 * True if the machine's own Node is new enough. The repository's Node, which runs this from the second time on, does
 * not count.
 */
function machineHasNode() {
  return (
    Number.parseInt(process.versions.node) >= Number.parseInt(version) &&
    !process.execPath.startsWith(root + sep)
  )
}

function say(sentence) {
  process.stderr.write(`dragoman set-up: ${sentence}\n`)
}

function stamp() {
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(`${version} ${platform} `).update(lockfile).digest('hex')
}

function isReady() {
  const isMarked = existsSync(marker) && readFileSync(marker, 'utf8') === stamp()
  return isMarked && (machineHasNode() || existsSync(links[0]))
}

function works(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
}

/** The platform's package contains the executable; the `node` package would download it in an install script. */
async function fetchNode(started) {
  const folder = join(setup, `node-${version}`)
  const node = join(folder, `node_modules/node-${platform}/bin`, executable)
  if (existsSync(node) && works(node)) return node

  say(`fetching Node ${version}; this machine has ${process.versions.node}`)
  // npm takes a partial folder of an interrupted set-up for an installed package.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const npmUnderOldNode = { node: process.execPath, folder, started }
  const complaints = await npm(npmUnderOldNode, 'install', '--no-save', `node-${platform}@${version}`)

  const otherwise = `Install Node ${Number.parseInt(version)} or newer yourself and try again.`
  if (/ETARGET|E404/.test(complaints ?? ''))
    throw new Error(`The registry has no Node ${version} for ${platform}. ${otherwise}`)
  if (complaints !== undefined)
    throw new Error(`Node ${version} could not be fetched. Is the registry within reach? ${otherwise}`)
  if (!works(node)) throw new Error(`Node ${version} for ${platform} does not run here. ${otherwise}`)
  return node
}

/** Runs with the new Node: with an old one, npm silently leaves out native packages whose `engines` exclude it. */
async function installPackages(node, started) {
  say('installing the locked packages')
  // Overrides NODE_ENV and the user's .npmrc: tests need development and optional packages.
  const complaints = await npm({ node, folder: root, started }, 'ci', '--include=dev', '--include=optional')
  if (complaints !== undefined)
    throw new Error('The locked packages could not be installed; npm says why. Is the registry within reach?')
}

function linkNode(node) {
  for (const link of links) {
    mkdirSync(dirname(link), { recursive: true })
    rmSync(link, { force: true })
    // Windows lets only administrators make symbolic links.
    if (onWindows) linkSync(node, link)
    else symlinkSync(relative(dirname(link), node), link)
  }
}

async function setUp(started) {
  // Another process may have done it meanwhile.
  if (!isReady()) await install(started)
  if (isConsoleBuilt()) return
  say('building the console')
  await buildConsole(machineHasNode() ? process.execPath : links[0], started)
}

async function install(started) {
  // npm would follow a link and empty another clone's packages.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(
      'node_modules is a link to packages of another folder: set them up there, or remove the link.',
    )
  const ours = machineHasNode() ? undefined : await fetchNode(started)
  await installPackages(ours ?? process.execPath, started)
  if (ours) linkNode(ours)
  writeFileSync(marker, stamp())
}

try {
  if (!isReady() || !isConsoleBuilt()) await withLock(join(setup, 'lock'), WAIT_MS, setUp)
} catch (error) {
  say(error.message)
  process.exitCode = 1
}
