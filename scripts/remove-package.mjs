/**
 * The program of apps/server without one package: without its import, and without what it imports in the lists. It
 * takes the source and the compiled program.
 * @throws Error if the program does not import the package in one line, or needs it elsewhere
 */
export function removePackage(program, name) {
  const [line, imported] = new RegExp(`^import \\{ (\\w+) \\} from '${name}';?\\n`, 'm').exec(program) ?? []
  if (line === undefined) throw new Error(`apps/server/src/main.ts does not import ${name}`)
  const item = `\\b${imported}\\b(?:\\(\\))?`
  const without = program
    .replace(line, '')
    .replaceAll(new RegExp(`, ${item}(?=[,\\]])`, 'g'), '')
    .replaceAll(new RegExp(`(?<=\\[)${item}(?:, )?`, 'g'), '')
  if (new RegExp(item).test(without)) throw new Error(`apps/server/src/main.ts needs ${name}`)
  return without
}
