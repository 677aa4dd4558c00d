// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.Request;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** Whoever asks is named as the audit takes it, whatever the name is. */
class OutledgerRequestsWebExtensionTest {

  private static final int MOST = Request.ASKED_BY_CHARS_MAX;

  private static String who(@Nullable Principal principal) {
    return OutledgerRequestsWebExtension.who(
        new SecurityContext() {
          @Override
          public @Nullable Principal getPrincipal() {
            return principal;
          }

          @Override
          public boolean isUserInRole(String role) {
            return false;
          }
        });
  }

  @Test
  void aNameIsToldAsItIsAndNobodyIsSomebody() {
    assertThat(who(() -> "CN=ops")).isEqualTo("CN=ops");
    assertThat(who(() -> "n".repeat(MOST))).hasSize(MOST).doesNotContain("…");
    assertThat(who(null)).isNotBlank();
    assertThat(who(() -> " ")).isEqualTo(who(null));
  }

  /** As that of a certificate may be. The cut may fall between two halves of a character. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLongNameIsCutBetweenCharacters(int before) {
    String name = who(() -> "n".repeat(before) + "\uD83D\uDE00".repeat(MOST));
    assertThat(name).hasSizeLessThanOrEqualTo(MOST).hasSizeGreaterThan(MOST - 3).endsWith("…");
    assertThat(name.codePoints().filter(each -> each >= 0xD800 && each <= 0xDFFF)).isEmpty();
  }
}
