// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is declared of one subscription or consumer. Guarded by its ledger. */
final class DeclarationTable {

  private final Map<Declaration, Long> current = new LinkedHashMap<>();
  private long revision;

  Declarations current() {
    return new Declarations(revision, current);
  }

  long revision() {
    return revision;
  }

  void declare(Declaring declaring) {
    declaring.has().stream().filter(each -> !current.containsKey(each)).forEach(this::put);
    List.copyOf(current.keySet()).stream().filter(declaring::ends).forEach(this::end);
  }

  void declareAgain(Set<Declaration> has) {
    has.forEach(this::put);
  }

  void endAll() {
    List.copyOf(current.keySet()).forEach(this::end);
  }

  void end(Declaration ended) {
    if (current.remove(ended) != null) {
      revision++;
    }
  }

  private void put(Declaration declared) {
    revision++;
    current.put(declared, revision);
  }
}
