// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class JavaSourceTest {
  private static final JavaSource SOURCE =
      JavaSource.of(
          Path.of("outledger-core", "src", "main", "java", "a", "Told.java"),
          """
          package a.b;

          /** Said. */
          public class Told implements Runnable {
            public void unsaid() {}

            /** Said. */
            protected void said(int one,
                int two) {
              TimeUnit.SECONDS.sleep(1);
            }

            void hidden() {
              java.lang.Thread.sleep(1);
              String.format(Locale.ROOT, ("first" + " and second"), 1);
              String.format("third", "fourth", Locale.ROOT);
            }

            @Override
            public void run() {}

            public interface Inner {
              void unsaidInside();
            }

            private interface Closed {
              void notSeen();
            }

            /** Said. */
            public record Pair(int left, int right) {
              public Pair {
                hidden();
              }
            }
          }
          """);

  @Test
  void whatIsSeenWithoutJavadocIsFound() {
    assertThat(SOURCE.undocumented())
        .extracting(found -> found.replaceFirst(".*: ", ""))
        .containsExactly("unsaid", "Inner", "unsaidInside");
  }

  @Test
  void methodsAreMeasured() {
    assertThat(SOURCE.methods())
        .contains(new JavaSource.Method("said", 4, 2), new JavaSource.Method("<init>", 3, 0));
  }

  @Test
  void aCallIsFoundHoweverItIsWritten() {
    assertThat(SOURCE.refersTo("Thread", "sleep")).isTrue();
    assertThat(SOURCE.refersTo("SECONDS", "sleep")).isTrue();
    assertThat(SOURCE.refersTo("Thread", "join")).isFalse();
  }

  @Test
  void textsAreFoundUnlessTheyAreBehindAFirstArgument() {
    assertThat(SOURCE.textsNotBehind("Locale.ROOT")).containsExactly("third", "fourth");
  }

  @Test
  void namesAndPlacesAreKnown() {
    assertThat(SOURCE.typeNames()).containsExactly("Told", "Inner", "Closed", "Pair");
    assertThat(SOURCE.packageName()).isEqualTo("a.b");
    assertThat(SOURCE.module()).isEqualTo("outledger-core");
    assertThat(SOURCE.isMain()).isTrue();
  }
}
