// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.HashMap;
import java.util.Map;

/**
 * How an application of Spring Boot is set up.
 *
 * @param connections of the pool
 * @param properties other than the defaults
 * @param opening what makes the application
 */
record SpringSettings(int connections, Map<String, Object> properties, Opening opening)
    implements ApplicationFactory {

  /** Makes an application on a site. */
  interface Opening {
    Application open(Site site, SpringSettings settings);
  }

  /** Returns those of who sets nothing. */
  static SpringSettings defaults(Opening opening) {
    return new SpringSettings(Site.CONNECTIONS_DEFAULT, Map.of(), opening);
  }

  /** Returns those of who has many threads. */
  static SpringSettings best(Map<String, Object> properties, Opening opening) {
    return new SpringSettings(36, properties, opening);
  }

  @Override
  public Application open(Site site) {
    return opening.open(site, this);
  }

  /** Starts the application's own Spring, to be closed by the caller. */
  SpringApplicationSite start(Site site, Class<?> configuration) {
    return new SpringApplicationSite(site, connections, configuration, properties);
  }

  /** Returns them with one more property. */
  SpringSettings with(String property, Object value) {
    Map<String, Object> more = new HashMap<>(properties);
    more.put(property, value);
    return new SpringSettings(connections, more, opening);
  }
}
