// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PostRemove;
import jakarta.persistence.PreRemove;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An aggregate of aggregates: some are its children, others it shares. */
@Entity
@Table(name = "node")
@Inheritance(strategy = InheritanceType.JOINED)
class Node extends AggregateRoot {

  @Id private String id;

  @SuppressWarnings("UnusedVariable") // a column to change
  private String name = "";

  @ManyToMany(cascade = CascadeType.ALL)
  private List<Node> shared = new ArrayList<>();

  @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
  @JoinColumn(name = "parent_id")
  private List<Node> children = new ArrayList<>();

  @ElementCollection private Set<String> tags = new HashSet<>();

  @Transient private boolean talksAtRemoval;

  protected Node() {}

  Node(String id) {
    this.id = id;
  }

  List<Node> shared() {
    return shared;
  }

  List<Node> children() {
    return children;
  }

  void rename(String value) {
    name = value;
    happens(value);
  }

  void tag(String tag) {
    tags.add(tag);
    happens("tag " + tag);
  }

  void happens(String what) {
    raise(new ShopEvent.Happened(id, what));
  }

  /** The entity itself, where this is called on a proxy. */
  Node self() {
    return this;
  }

  void talkAtRemoval() {
    talksAtRemoval = true;
  }

  @PreRemove
  void beforeRemoval() {
    if (talksAtRemoval) {
      happens("before removal");
    }
  }

  @PostRemove
  void afterRemoval() {
    if (talksAtRemoval) {
      happens("after removal");
    }
  }
}
