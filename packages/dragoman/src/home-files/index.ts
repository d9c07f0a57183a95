export { readHomeFile } from './read-home-file.ts'
export { readGroup, readSection } from './read-section.ts'
export { readSavedKeys, writeSavedKeys } from './saved-keys.ts'
