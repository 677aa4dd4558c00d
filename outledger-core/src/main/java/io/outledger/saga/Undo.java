// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import java.util.Set;

/**
 * What undoes something, and which messages say that it is undone. Immutable.
 *
 * @param compensation undoes it, or asks somebody to
 * @param answers the classes of the messages that come of that; empty where it waits for none
 */
record Undo<S>(SagaCompensation<S> compensation, Set<Class<?>> answers) {

  Undo {
    answers = Set.copyOf(answers);
  }
}
