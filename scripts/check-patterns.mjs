// Reports each regular expression of the sources that needs more than linear time for a text made against it. Takes
// the files as arguments, or checks all packages, agents and apps.
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'

import { collectPatterns } from './patterns/collect-patterns.mjs'
import { slowText } from './patterns/slow-text.mjs'
import { root } from './workspace.mjs'

const SOURCES = '{packages,agents,apps}/*/{src,app,views}/**/*.{ts,tsx}'
const NO_SOURCE = /\.(?:test|contract|fixture)\.tsx?$|\.d\.ts$|\/node_modules\//

const named = process.argv.slice(2).map((file) => resolve(file))
const all = () => globSync(SOURCES, { cwd: root }).filter((file) => !NO_SOURCE.test(file))
const files = named.length > 0 ? named : all().map((file) => resolve(root, file))

const patterns = await collectPatterns(files)
const results = new Map()
for (const { place, source, flags, maxCharacters } of patterns) {
  const key = JSON.stringify([source, flags, maxCharacters])
  if (!results.has(key)) results.set(key, complaintOf(source, flags, maxCharacters))
  const complaint = results.get(key)
  if (!complaint) continue
  process.stderr.write(`${relative(root, place.file)}:${place.line} ${complaint}\n`)
  process.exitCode = 1
}

function complaintOf(source, flags, maxCharacters) {
  if (source === undefined)
    return maxCharacters ? undefined : 'makes a pattern that is unknown here. Say how long its text can be.'
  try {
    return timeComplaint(source, flags, maxCharacters)
  } catch (error) {
    return `/${source}/${flags} ${error.message}.`
  }
}

function timeComplaint(source, flags, maxCharacters) {
  const slow = slowText(source, flags, maxCharacters)
  if (!slow) return undefined
  const text = [slow.start, `(${slow.repeated}) …`, slow.end]
    .filter(Boolean)
    .map((each) => JSON.stringify(each))
  return `/${source}/${flags} takes ${Math.round(slow.ms)} ms or more for ${text.join(', ')}`
}
