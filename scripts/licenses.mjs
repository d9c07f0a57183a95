// The licenses under which this repository may use other packages.
const ALLOWED = new Set(
  [
    'MIT, MIT-0, ISC, 0BSD, BSD, BSD-2-Clause, BSD-3-Clause, Apache-2.0, Unlicense, CC0-1.0, OFL-1.1',
    // If a package offers a choice, MIT or BSD-3-Clause is taken.
    '(MIT OR EUPL-1.1+), (MIT OR GPL-3.0-or-later), (AFL-2.1 OR BSD-3-Clause), (MIT AND Zlib)',
  ].flatMap((line) => line.split(', ')),
)
/** Packages without a license field, and what their LICENSE file says. */
const FROM_FILES = { 'png-js@2.0.0': 'MIT' }

/** The fault in the license of a package in a lock file, if any. `place` is its path. */
export function licenseFault(place, { version, license }) {
  const name = place.replace(/^.*node_modules\//, '')
  const found = license ?? FROM_FILES[`${name}@${version}`]
  return ALLOWED.has(found) ? undefined : `${name} ${version} has the license ${found}, which is not allowed`
}
