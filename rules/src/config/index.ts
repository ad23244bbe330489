export { documentGlobs, matchesAny, misnamedConfig, readConfig, settingsFor } from './config.js'
export { configSchema } from './definition.js'
