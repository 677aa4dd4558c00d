// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.ShownDeclarations;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two threads of a member look at what is declared, while an operator ends what it has. */
class SeenDeclarationsTest {

  private static final Declaration PAID = Declaration.everything("paid");
  private static final Declaration OTHER = Declaration.everything("other");
  private static final ShownDeclarations WITH_OWN =
      new ShownDeclarations(new Declarations(5, Map.of(PAID, 5L)), Set.of());
  private static final ShownDeclarations ENDED =
      new ShownDeclarations(new Declarations(6, Map.of()), Set.of(PAID));

  private final SeenDeclarations seen = new SeenDeclarations(new Declaring(Set.of(PAID), Set.of()));

  private SeenDeclarations.Look declared() {
    seen.declared(seen.last());
    return seen.last();
  }

  @Test
  void itsOwnIsDeclaredOnceUntilSomebodyEndsIt() {
    assertThat(seen.last().isDeclared()).isFalse();
    assertThat(declared().isDeclared()).isTrue();
    seen.shown(seen.last(), WITH_OWN, 0);
    assertThat(seen.last()).isEqualTo(new SeenDeclarations.Look(WITH_OWN, 0, true));
    seen.shown(seen.last(), ENDED, 0);
    assertThat(seen.last().isDeclared()).isFalse();
    assertThat(declared().isDeclared()).isTrue();
  }

  @Test
  void threadThatHasReadBeforeTheEndDoesNotHideItFromAllLaterLooks() {
    SeenDeclarations.Look before = declared();
    seen.shown(before, ENDED, 0);
    seen.shown(before, WITH_OWN, 0); // read earlier, and comes later
    assertThat(seen.last().isDeclared()).isFalse();
    assertThat(seen.last().shown()).isEqualTo(ENDED);
  }

  @Test
  void endThatComesSecondIsFoundByTheNextLook() {
    SeenDeclarations.Look before = declared();
    seen.shown(before, WITH_OWN, 0);
    seen.shown(before, ENDED, 0);
    assertThat(seen.last().isOf(ENDED.current().revision(), 0)).isFalse();
    seen.shown(seen.last(), ENDED, 0);
    assertThat(seen.last().isDeclared()).isFalse();
  }

  @Test
  void endWhileItDeclaresIsNotTakenForItsDeclaration() {
    SeenDeclarations.Look before = seen.last();
    seen.shown(before, ENDED, 0);
    seen.declared(before);
    assertThat(seen.last().isDeclared()).isFalse();
  }

  @Test
  void whatWasEndedIsLackedAndLookedAtAgain() {
    Declaring own = new Declaring(Set.of(PAID), Set.of());
    ShownDeclarations shown =
        new ShownDeclarations(new Declarations(7, Map.of(PAID, 5L)), Set.of(OTHER));
    SeenDeclarations.Look look = seen.shown(seen.last(), shown, 0);
    assertThat(look.lackedBy(own)).containsExactly(OTHER);
    assertThat(look.isOf(7, SeenDeclarations.AGAIN.toNanos() - 1)).isTrue();
    assertThat(look.isOf(7, SeenDeclarations.AGAIN.toNanos())).isFalse();
  }
}
