# What the guides call otherwise than the local node: e2e/guides/run replaces it in commands, in files, and in what is printed. All else is run as it
# stands. The images of the guides need no line here, because the node has images of the same names (images_named in set-ups.sh).

# The chart of a release in a registry of the reader's. Here it is the chart of the checkout.
s#oci://registry\.example\.org/team/charts/sluice --version 0\.1\.0#helm/sluice#g

# docs/operate.md says what these words stand for in the pages on operation.
s#\bCHART\b#helm/sluice#g
s#(-n|--namespace) NS\b#\1 sluice-system#g

# The revision before is what Helm goes back to if none is named.
s#\bREVISION\b##g

# The Helm of local/toolbox does not know which Kubernetes it is for.
s#\bhelm template\b#helm template --kube-version 1.34.4#

# An object store of the reader's. Here it is the volume that the set-ups make.
s#s3://my-bucket/#file:/state/#g

# Times that a page means, and nobody wants to wait for here. The analysis is long enough for the three checkpoints that it asks for, one each ten
# seconds; the delay, for a look at the half that will be deleted.
s#(bluegreen\.analysis\.duration): 15 min#\1: 45 s#
s#(bluegreen\.deployment-deletion\.delay): 2 min#\1: 20 s#

# Flink's examples are in its official image, and in no package registry from which the node's image is made. A job of this repository takes their place.
s#^( *)image: flink:1\.20$#\1image: sluice/examples:latest\n\1imagePullPolicy: IfNotPresent#
s#^( *)jarURI: local:///opt/flink/examples/streaming/.*#\1jarURI: local:///opt/flink/usrlib/sluice-examples.jar\n\1entryClass: io.sluice.examples.LoadJob#
s#args: \[--execution-mode, BATCH\]#args: [--schedule, "0s:20000", --capacity, "20000", --records, "20000"]#
