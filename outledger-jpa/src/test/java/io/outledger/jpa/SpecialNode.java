// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/** One of a subclass. */
@Entity
@Table(name = "special_node")
class SpecialNode extends Node {

  private int size;

  protected SpecialNode() {}

  SpecialNode(String id) {
    super(id);
  }

  void grow() {
    size++;
    happens("grown to " + size);
  }
}
