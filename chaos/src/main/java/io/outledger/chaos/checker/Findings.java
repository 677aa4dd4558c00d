// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import java.util.ArrayList;
import java.util.List;

/** Where judges put what they find. */
final class Findings {

  private final List<Finding> findings = new ArrayList<>();

  void add(Verdict verdict, Object subject, String detail) {
    findings.add(new Finding(verdict, subject.toString(), detail));
  }

  List<Finding> all() {
    return List.copyOf(findings);
  }
}
