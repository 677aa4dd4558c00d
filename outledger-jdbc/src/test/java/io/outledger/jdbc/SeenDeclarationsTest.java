// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two threads of a member look at what is declared, while an operator ends what it has. */
class SeenDeclarationsTest {

  private static final Declaration PAID = Declaration.everything("paid");
  private static final Declarations WITH_OWN = new Declarations(5, Map.of(PAID, 5L));
  private static final Declarations ENDED = new Declarations(6, Map.of());

  private final SeenDeclarations seen = new SeenDeclarations(new Declaring(Set.of(PAID), Set.of()));

  private SeenDeclarations.Look declared() {
    seen.declared(seen.last());
    return seen.last();
  }

  @Test
  void itsOwnIsDeclaredOnceUntilSomebodyEndsIt() {
    assertThat(seen.last().isDeclared()).isFalse();
    assertThat(declared().isDeclared()).isTrue();
    seen.shown(seen.last(), WITH_OWN);
    assertThat(seen.last()).isEqualTo(new SeenDeclarations.Look(WITH_OWN, true));
    seen.shown(seen.last(), ENDED);
    assertThat(seen.last().isDeclared()).isFalse();
    assertThat(declared().isDeclared()).isTrue();
  }

  @Test
  void threadThatHasReadBeforeTheEndDoesNotHideItFromAllLaterLooks() {
    SeenDeclarations.Look before = declared();
    seen.shown(before, ENDED);
    seen.shown(before, WITH_OWN); // read earlier, and comes later
    assertThat(seen.last().isDeclared()).isFalse();
    assertThat(seen.last().shown()).isEqualTo(ENDED);
  }

  @Test
  void endThatComesSecondIsFoundByTheNextLook() {
    SeenDeclarations.Look before = declared();
    seen.shown(before, WITH_OWN);
    seen.shown(before, ENDED);
    assertThat(seen.last().shown().revision()).isNotEqualTo(ENDED.revision());
    seen.shown(seen.last(), ENDED);
    assertThat(seen.last().isDeclared()).isFalse();
  }

  @Test
  void endWhileItDeclaresIsNotTakenForItsDeclaration() {
    SeenDeclarations.Look before = seen.last();
    seen.shown(before, ENDED);
    seen.declared(before);
    assertThat(seen.last().isDeclared()).isFalse();
  }
}
