// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A child, which raises nothing itself. */
@Entity
@Table(name = "shop_order_line")
class OrderLine {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private @Nullable Long id;

  private String article;

  protected OrderLine() {}

  OrderLine(String article) {
    this.article = article;
  }

  @Override
  public String toString() {
    return id + " " + article;
  }
}
